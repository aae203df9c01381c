import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { type CompleteResponse, petJson, RawConnection } from '../support/http.ts'
import {
  commandLine,
  environmentWith,
  eventually,
  freePort,
  freshSqliteUrl,
  pathOf,
} from '../support/process.ts'
import { sharedService, startProcess, startService } from '../support/service.ts'
import { openStore } from '../support/store.ts'

const service = sharedService()

const requests: [string, string, number, string][] = [
  ['GET', '/v1/pets?limit=5', 200, '/v1/pets'],
  ['GET', '/v1/pets/999', 404, '/v1/pets/:petId'],
  ['GET', '/v1/orders', 404, 'unknown'],
]
test.each(requests)('the log has one line for %s %s', async (method, target, status, route) => {
  const requestId = crypto.randomUUID()
  const began = performance.now()
  await service().fetch(target, { method, headers: { 'X-Request-Id': requestId } })
  const line = await service().output.entry(entry => entry.requestId === requestId)
  expect(line).toMatchObject({ level: 'info', event: 'request', method, route, status, requestId })
  expect(line.durationMs).toBeWithin(0, performance.now() - began)
  expect(new Date(String(line.time)).getTime()).toBeWithin(Date.now() - 60_000, Date.now() + 1)
  expect(service().output.log.filter(entry => entry.requestId === requestId)).toHaveLength(1)
})

test('the log names the key by its id, and no key where there was none, and warns of one that will soon expire', async () => {
  const { databaseUrl } = service().options
  const { key, record } = newKey('production', 'logged', new Date(Date.now() + 86_400_000))
  await using store = await openStore(databaseUrl)
  await store.keys.add(record)
  await service().fetch('/v1/pets', { key, headers: { 'X-Request-Id': 'with-key' } })
  await service().fetch('/v1/pets', { key: null, headers: { 'X-Request-Id': 'without-key' } })
  const lineOf = (id: string) => service().output.entry(({ requestId }) => requestId === id)
  expect((await lineOf('with-key')).keyId).toBe(record.id)
  const { keyId, authFailure } = await lineOf('without-key')
  expect([keyId, authFailure]).toEqual([undefined, 'missing'])
  expect((await service().output.entry(({ event }) => event === 'key-expires-soon')).keyId).toBe(record.id)
})

test('the log cannot be forged by text from a client, and has no line for health checks', async () => {
  const forged = '{"event":"forged"}'
  const encoded = encodeURIComponent(`\n${forged}\n`)
  await service().post(petJson({ name: `\n${forged}\n\u001b[2J` }), { 'Idempotency-Key': forged })
  await service().fetch(`/v1/${encoded}`)
  await service().fetch(`/v1/pets/${encoded}?status=${encoded}`)
  await service().fetch('/v1/pets', { headers: { 'X-Request-Id': forged, 'User-Agent': forged } })
  await service().fetch('/v1/pets', { key: forged })
  for (const target of ['/livez', '/readyz']) await service().fetch(target)
  const raw = new RawConnection(service().url)
  raw.send(`GET /v1/pets HTTP/1.1\r\nHost: ${forged}\r\nX-Request-Id: a"b\\c\r\n\r\n`)
  await raw.read()
  raw.end()
  await service().fetch('/openapi.json', { headers: { 'X-Request-Id': 'last-of-them' } })
  await service().output.entry(({ requestId }) => requestId === 'last-of-them')
  for (const line of service().output.lines) expect(line).toStartWith('{"time":"')
  for (const { route } of service().output.log) expect(['/livez', '/readyz']).not.toContain(route)
  expect(service().output.log.some(({ event }) => event === 'forged')).toBe(false)
  expect(service().output.text).not.toContain('forged')
  expect(service().output.text).not.toContain('\u001b')
})

test('the log has the cause of a failure of our own, of which the client learns nothing', async () => {
  using service = await startService()
  async function expectFailure(answer: CompleteResponse, cause: object): Promise<void> {
    expect(answer.failure).toBe('500 internal_error')
    expect(answer.text).not.toMatch(/table|pets|order/)
    const id = answer.headers.get('x-request-id')
    const line = await service.output.entry(
      ({ event, requestId }) => event === 'request-failed' && requestId === id,
    )
    expect(line).toMatchObject({ level: 'error', code: 'internal_error', cause })
  }
  // It fails before anything that handles failures.
  using _broken = spyOn(Headers.prototype, 'get').mockImplementationOnce(() => {
    throw new Error('out of order')
  })
  await expectFailure(await service.fetch('/v1/pets'), { message: 'out of order' })
  using database = new Database(pathOf(service.options.databaseUrl))
  database.run('ALTER TABLE pets RENAME TO others')
  const noTable = { message: 'no such table: pets', code: 'SQLITE_ERROR' }
  await expectFailure(await service.fetch('/v1/pets'), noTable)
  // It fails in the writer thread.
  await expectFailure(await service.post(petJson({})), noTable)
})

test('the log has the level that was set: for debugging, it has health checks too', async () => {
  using service = await startProcess({ variables: { LOG_LEVEL: 'debug' } })
  await service.fetch('/livez')
  await service.output.entry(({ route }) => route === '/livez')
})

test('the log may lose its reader, which ends neither the service nor its orderly end', async () => {
  const [PORT, DATABASE_URL] = [String(freePort()), await freshSqliteUrl()]
  const child = Bun.spawn(commandLine('serve'), {
    env: environmentWith({ PORT, DATABASE_URL, LOG_LEVEL: 'debug' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const isServed = () => fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined)
  await eventually('it serves', isServed)
  await child.stdout.cancel()
  for (let n = 0; n < 100; n++) expect((await fetch(`http://127.0.0.1:${PORT}/livez`)).status).toBe(200)
  child.kill('SIGTERM')
  expect([await child.stderr.text(), await child.exited]).toEqual(['', 0])
})
