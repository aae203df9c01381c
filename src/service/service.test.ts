import { expect, spyOn, test } from 'bun:test'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { loadConfig } from '../config/load.ts'
import { Log } from '../observability/log.ts'
import type { FromListener, ListenerOptions, ToListener } from './listener.ts'
import { startService } from './service.ts'
import type { ListenerWorker } from './threads.ts'

/** The threads of a service, which respond as this function says. */
function threadsThat(respond: (message: ToListener, place: number) => FromListener) {
  const workers: ListenerWorker[] = []
  const startWorker = (): ListenerWorker => {
    const place = workers.length
    const worker: ListenerWorker = {
      onmessage: null,
      onerror: null,
      postMessage: (message: ToListener) => {
        const data = respond(message, place)
        setImmediate(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent))
      },
      addEventListener: () => {},
      terminate: () => {},
    }
    workers.push(worker)
    return worker
  }
  return { workers, startWorker }
}

test('every thread gets the port of the first, and the certificate with its dates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'))
  const [tlsCert, tlsKey] = [join(folder, 'a.crt'), join(folder, 'a.key')]
  const cert = rootCertificates[0] ?? ''
  writeFileSync(tlsCert, cert)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(tlsKey, key)
  // The runtime brings certificates along, but not their keys.
  using _same = spyOn(X509Certificate.prototype, 'checkPrivateKey').mockReturnValue(true)
  const starts: ListenerOptions[] = []
  const { startWorker } = threadsThat(message => {
    if (message[0] === 'start') starts.push(message[1])
    return message[0] === 'drain' ? ['drained', 0] : ['listening', 4321]
  })
  const database = `sqlite:${join(folder, 'animals.db')}`
  const config = { ...loadConfig({ port: '0', tlsCert, tlsKey, database }, {}), threads: 3 }
  const log = new Log(Bun.file(devNull), { level: 'info', format: 'json' })
  const { url, stop } = await startService(config, log, { startWorker })
  await stop()
  expect(url).toBe('https://127.0.0.1:4321')
  expect(starts.map(({ port }) => port)).toEqual([0, 4321, 4321])
  const { validFromDate: begins, validToDate: expires } = new X509Certificate(cert)
  const pair = { cert, key, file: tlsCert, begins, expires }
  for (const { tls } of starts) expect(tls).toEqual(pair)
})

test('the service is ready only if all threads are; it adds up their figures and unfinished requests, and logs which one ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'))
  let notReady = 1
  const { workers, startWorker } = threadsThat(([kind], place) => {
    if (kind === 'report') return ['report', { petstore_store_writes_waiting: 1 }]
    if (kind === 'ready') return ['ready', place !== notReady]
    return kind === 'drain' ? ['drained', place] : ['listening', 4321]
  })
  const options = { port: '0', metricsPort: '0', database: `sqlite:${join(folder, 'animals.db')}` }
  const path = join(folder, 'log')
  const log = new Log(Bun.file(path), { level: 'info', format: 'json' })
  const entries = async (): Promise<Record<string, unknown>[]> => {
    await log.close()
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  }
  const { stop } = await startService({ ...loadConfig(options, {}), threads: 3 }, log, { startWorker })
  try {
    const { url } = (await entries()).find(({ event }) => event === 'metrics-listening') ?? {}
    const page = async () => (await fetch(String(url))).text()
    const { user, system } = process.cpuUsage()
    const text = await page()
    expect(text).toMatch(/^petstore_ready 0$/m)
    expect(text).toMatch(/^petstore_store_writes_waiting 3$/m)
    expect(text).toMatch(/^petstore_store_free_bytes [1-9]/m)
    const seconds = Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1])
    expect(seconds).toBeGreaterThanOrEqual((user + system) / 1e6)
    notReady = 3
    expect(await page()).toMatch(/^petstore_ready 1$/m)
    const [, second] = workers
    second?.onerror?.call(second as Worker, { message: 'out of order' } as ErrorEvent)
  } finally {
    await stop()
  }
  expect((await entries()).slice(-3)).toMatchObject([
    { event: 'thread-ended', thread: 'listener 2' },
    { event: 'draining', signal: 'stop' },
    { event: 'stopped', unfinished: 2 },
  ])
})
