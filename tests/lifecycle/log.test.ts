import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { petJson, RawConnection } from '../support/http.ts'
import {
  commandLine,
  createKey,
  environmentWith,
  eventually,
  freePort,
  freshSqliteUrl,
  pathOf,
  petstore,
} from '../support/process.ts'
import { sharedService, startService } from '../support/service.ts'

const service = sharedService()

const requests: [string, string, number, string][] = [
  ['GET', '/v1/pets?limit=5', 200, '/v1/pets'],
  ['GET', '/v1/pets/999', 404, '/v1/pets/:petId'],
  ['GET', '/v1/orders', 404, 'unknown'],
  ['GET', '/openapi.json', 200, '/openapi.json'],
]
test.each(requests)('the log has one line for %s %s', async (method, target, status, route) => {
  const requestId = crypto.randomUUID()
  await service().fetch(target, { method, headers: { 'X-Request-Id': requestId } })
  const line = await service().output.entry(entry => entry.requestId === requestId)
  expect(line).toMatchObject({ level: 'info', event: 'request', method, route, status, requestId })
  expect(line.durationMs).toBeNumber()
  expect(new Date(String(line.time)).getTime()).toBeGreaterThan(Date.now() - 60_000)
  expect(service().output.log.filter(entry => entry.requestId === requestId)).toHaveLength(1)
})

test('the log names the key by its id, and no key where there was none', async () => {
  const { databaseUrl } = service().options
  const key = await createKey(databaseUrl, 'logged')
  const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
  const [id = ''] = /key_\w+/.exec(stdout) ?? []
  await service().fetch('/v1/pets', { key, headers: { 'X-Request-Id': 'with-key' } })
  await service().fetch('/v1/pets', { key: null, headers: { 'X-Request-Id': 'without-key' } })
  expect((await service().output.entry(({ requestId }) => requestId === 'with-key')).keyId).toBe(id)
  expect((await service().output.entry(({ requestId }) => requestId === 'without-key')).keyId).toBeUndefined()
})

test('the log cannot be forged by text from a client', async () => {
  const forged = '{"event":"forged"}'
  const encoded = encodeURIComponent(`\n${forged}\n`)
  await service().post(petJson({ name: `\n${forged}\n\u001b[2J` }), { 'Idempotency-Key': forged })
  await service().fetch(`/v1/${encoded}`)
  await service().fetch(`/v1/pets/${encoded}?status=${encoded}`)
  await service().fetch('/v1/pets', { headers: { 'X-Request-Id': forged, 'User-Agent': forged } })
  await service().fetch('/v1/pets', { key: forged })
  const raw = new RawConnection(service().url)
  raw.send(`GET /v1/pets HTTP/1.1\r\nHost: ${forged}\r\nX-Request-Id: a"b\\c\r\n\r\n`)
  await raw.read()
  raw.end()
  await service().fetch('/openapi.json', { headers: { 'X-Request-Id': 'last-of-them' } })
  await service().output.entry(({ requestId }) => requestId === 'last-of-them')
  for (const line of service().output.lines) expect(line).toStartWith('{"time":"')
  expect(service().output.log.some(({ event }) => event === 'forged')).toBe(false)
  expect(service().output.text).not.toContain('forged')
  expect(service().output.text).not.toContain('\u001b')
})

test('the log has the cause of a failure of our own, of which the client learns nothing', async () => {
  using service = await startService()
  using database = new Database(pathOf(service.options.databaseUrl))
  database.run('ALTER TABLE pets RENAME TO others')
  const answer = await service.fetch('/v1/pets', { headers: { 'X-Request-Id': 'our-fault' } })
  expect(answer.failure).toBe('500 internal_error')
  expect(answer.text).not.toMatch(/table|pets/)
  const line = await service.output.entry(({ event }) => event === 'request-failed')
  expect(line).toMatchObject({ level: 'error', requestId: 'our-fault', code: 'internal_error' })
  const noTable = { message: 'no such table: pets', code: 'SQLITE_ERROR' }
  expect(line.cause).toMatchObject(noTable)
  // Adding fails in another thread.
  const added = await service.post(petJson({}), { 'X-Request-Id': 'in-the-writer' })
  expect(added.failure).toBe('500 internal_error')
  const { cause } = await service.output.entry(({ requestId }) => requestId === 'in-the-writer')
  expect(cause).toMatchObject(noTable)
})

test('a failure outside of everything that handles failures is a 500 too, with its cause in the log', async () => {
  using service = await startService()
  using _failing = spyOn(Headers.prototype, 'get').mockImplementationOnce(() => {
    throw new Error('out of order')
  })
  const answer = await service.fetch('/v1/pets')
  expect(answer.failure).toBe('500 internal_error')
  expect(answer.text).not.toContain('out of order')
  const line = await service.output.entry(({ event }) => event === 'request-failed')
  expect(line).toMatchObject({ requestId: answer.headers.get('x-request-id'), code: 'internal_error' })
  expect(JSON.stringify(line.cause)).toContain('out of order')
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

test('the log has no line for health checks, and tells the end', async () => {
  const service = await startService()
  await service.fetch('/livez')
  await service.fetch('/readyz')
  expect(await service.stop()).toBe(0)
  expect(service.output.log.slice(-2)).toMatchObject([
    { event: 'draining' },
    { event: 'stopped', unanswered: 0 },
  ])
  for (const { route } of service.output.log) expect(['/livez', '/readyz']).not.toContain(route)
})
