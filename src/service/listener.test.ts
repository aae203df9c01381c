import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config/load.ts'
import { FLUSH_MS } from '../deadlines.ts'
import { KeyUses } from '../keys/key-uses.ts'
import { Counter } from '../observability/counts.ts'
import { engineOf } from '../store/engines.ts'
import { type FromListener, listenerFor } from './listener.ts'

const OPTIONS = {
  pageFiles: { openApi: { plain: new Uint8Array(), gzip: new Uint8Array() }, assets: [] },
  port: 0,
  tls: undefined,
  rateCounts: undefined,
  lines: { level: 'info', format: 'json' },
} as const

test('a thread that cannot start says why, and with which exit code the service ends', async () => {
  const said = Promise.withResolvers<FromListener>()
  const config = loadConfig({}, { DATABASE_URL: 'sqlite:/no/such/folder/animals.db' })
  await listenerFor(said.resolve)(['start', { ...OPTIONS, config }])
  expect(await said.promise).toEqual([
    'failed',
    expect.stringContaining('There is no database at'),
    'missing',
  ])
})

/** A configuration, and what the main thread keeps for it. */
async function prepared(otlpEndpoint?: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const variables = { DATABASE_URL: `sqlite:${path}`, OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint }
  const config = loadConfig({ metricsPort: '0' }, variables)
  const { kept } = await (await engineOf(config)).prepare(
    true,
    () => {},
    async () => {},
  )
  return { config, kept }
}

test('a thread that is asked to stop while it starts stops when it has, and logs to the end', async () => {
  const { config, kept } = await prepared()
  using _fails = spyOn(KeyUses.prototype, 'record').mockRejectedValue(new Error('no space'))
  const said: FromListener[0][] = []
  const send = listenerFor(([kind]) => void said.push(kind))
  void send(['start', { ...OPTIONS, config, link: kept.newLink?.() }])
  await send(['drain'])
  expect(said).toEqual(['listening', 'lines', 'drained'])
  await kept.close()
})

test('a thread serves with the certificate, and measures how long its requests wait', async () => {
  const { config, kept } = await prepared()
  using serving = spyOn(Bun, 'serve')
  using measuring = spyOn(Counter.prototype, 'measureLag')
  const send = listenerFor(() => {})
  const pair = { cert: 'a certificate', key: 'its key' }
  const tls = { ...pair, file: 'a.crt', begins: new Date(), expires: new Date() }
  void send(['start', { ...OPTIONS, tls, config, link: kept.newLink?.() }])
  await send(['drain'])
  expect(serving.mock.calls[0]?.[0]).toMatchObject({ tls: pair })
  expect(measuring).toHaveBeenCalledTimes(1)
  await kept.close()
})

test('requests that wait for their turn have a span, like those that start immediately', async () => {
  let sent = ''
  await using collector = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async request => {
      sent += Buffer.from(await request.bytes()).toString('latin1')
      return new Response()
    },
  })
  const { config, kept } = await prepared(collector.url.href)
  using serving = spyOn(Bun, 'serve')
  const { promise: started, resolve } = Promise.withResolvers<FromListener>()
  const send = listenerFor(resolve)
  void send(['start', { ...OPTIONS, config, link: kept.newLink?.() }])
  await started
  const ids = Array.from({ length: 300 }, (_, n) => `request-${n}.`)
  const server = serving.mock.results[0]?.value as Bun.Server<undefined>
  // Sent over the network, they could arrive in several turns.
  const sending = (id: string) => new Request('http://x/livez', { headers: { 'X-Request-Id': id } })
  await Promise.all(ids.map(id => server.fetch(sending(id))))
  // However slow this machine is, the collector gets the time that it needs.
  const { sleep } = Bun
  using _patient = spyOn(Bun, 'sleep').mockImplementation(ms =>
    ms === FLUSH_MS ? new Promise<never>(() => {}) : sleep(ms),
  )
  await send(['drain'])
  await kept.close()
  expect(ids.filter(id => !sent.includes(id))).toEqual([])
})
