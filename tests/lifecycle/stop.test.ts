import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as deadlines from '../../src/deadlines.ts'
import { petJson, RawConnection, SlowRequest, walk } from '../support/http.ts'
import { BALANCED, balance, Load } from '../support/load.ts'
import { eventually, freePort, freshFolder, freshSqliteUrl, listens, pathOf } from '../support/process.ts'
import { ServiceProcess, startProcess, startService } from '../support/service.ts'
import { addKey } from '../support/store.ts'

test.each(['SIGINT', 'SIGHUP'] as const)('at %s what is in flight is answered', async signal => {
  const service = await startProcess()
  const idle = new RawConnection(service.url)
  idle.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await idle.read()).toHaveStatus(200)
  const slow = await SlowRequest.begin(service, 'in flight')
  // Both the terminal and npm send one. Two that are the same could arrive as one.
  for (const name of [signal, 'SIGHUP'] as const) service.signal(name)
  const isRefused = () => listens(Number(new URL(service.url).port)).then(isOpen => !isOpen || undefined)
  await eventually('new connections are refused', isRefused)
  expect(await slow.finish()).toHaveStatus(201)
  expect(await service.exited()).toBe(0)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unfinished: 0 })
  using again = await startService(service.options)
  expect((await again.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['in flight'])
})

test('at SIGTERM while only some threads listen, the service answers what is in flight, and ends with 0', async () => {
  const port = freePort()
  const variables = { PORT: String(port), PETSTORE_THREADS: process.platform === 'linux' ? '4' : '1' }
  const service = new ServiceProcess({ databaseUrl: await freshSqliteUrl(), variables })
  service.url = `http://127.0.0.1:${port}`
  // An open port is not enough: the start tries it first, and closes it again.
  const answer = () => fetch(`${service.url}/livez`).catch(() => undefined)
  await eventually('the first thread answers', answer)
  const slow = await SlowRequest.begin(service, 'in flight')
  service.signal('SIGTERM')
  expect(await slow.finish()).toHaveStatus(201)
  expect(await service.exited()).toBe(0)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unfinished: 0 })
})

test('a second signal, a second later, ends the service immediately', async () => {
  const service = await startProcess()
  const slow = await SlowRequest.begin(service, 'in flight')
  service.signal('SIGINT')
  await service.output.entry(({ event }) => event === 'draining')
  await Bun.sleep(1100)
  service.signal('SIGINT')
  expect(await service.exited()).toBe(1)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'draining', signal: 'SIGINT' })
  await slow.finish().catch(() => {})
})

test('a service that drains is not ready, serves until its clients have noticed, logs what fails, to the end, and does not wait for a request that does not end', async () => {
  const service = await startService()
  await SlowRequest.begin(service, 'never ends')
  using database = new Database(pathOf(service.options.databaseUrl))
  const key = await addKey(service.options.databaseUrl, 'used')
  expect(await service.fetch('/v1/pets', { key })).toHaveStatus(200)
  for (const [change, table] of ['INSERT ON pets', 'UPDATE ON api_keys'].entries())
    database.run(`CREATE TRIGGER t${change} BEFORE ${table} BEGIN SELECT raise(ABORT, 'no space'); END`)
  const { sleep } = Bun
  using sleeping = spyOn(Bun, 'sleep').mockImplementation(ms =>
    sleep(ms === deadlines.REQUESTS_MS ? 3000 : ms),
  )
  const stopping = service.stop()
  const notReady = await service.fetch('/readyz')
  expect([notReady.failure, notReady.headers.get('connection')]).toEqual(['503 unavailable', 'close'])
  expect(notReady.error.message).toBe('The service is shutting down.')
  // The limit for all requests begins with the stop, not when clients have noticed.
  expect(sleeping).toHaveBeenCalledWith(deadlines.REQUESTS_MS)
  const list = () => service.fetch('/v1/pets')
  // Longer than the half second that a service without clients stays.
  for (let n = 0; n < 7; n++) expect(await Bun.sleep(100).then(list)).toHaveStatus(200)
  expect(await service.post(petJson({}))).toHaveStatus(500)
  expect(await stopping).toBe(0)
  // The uses of keys are recorded once more, when no request is left.
  const task = 'recording the uses of API keys'
  expect(service.output.log.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'request-failed', cause: { message: 'no space' } },
    { event: 'background-task-failed', task, cause: { message: 'no space' } },
  ])
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', level: 'info', unfinished: 1 })
})

/** A service that gives up a stop after 100 milliseconds. Any stop takes longer, because clients have half a second to notice it. */
async function impatientService(): Promise<string> {
  const main = join(await freshFolder(), 'main.ts')
  const source = (path: string) => JSON.stringify(join(import.meta.dir, '../../src', path))
  writeFileSync(
    main,
    `import { loadConfig } from ${source('config/load.ts')}
     import { Log } from ${source('observability/log.ts')}
     import { serve } from ${source('service/serve.ts')}
     const { setTimeout } = globalThis
     globalThis.setTimeout = (work, ms) => setTimeout(work, ms === ${deadlines.STOP_MS} ? 100 : ms)
     await serve(loadConfig({}), new Log(Bun.stdout, { level: 'info', format: 'json' }), {})`,
  )
  return main
}
const BY_FORCE = { event: 'stopped-by-force', level: 'error', afterMs: deadlines.STOP_MS }

test('a stop that takes too long is ended by force within 10 seconds, and the log says so', async () => {
  const { WRITE_MS, NEW_REQUESTS_MS, REQUESTS_MS, DRAIN_MS, STOP_MS, FLUSH_MS } = deadlines
  const ends = [NEW_REQUESTS_MS + WRITE_MS, REQUESTS_MS, DRAIN_MS, STOP_MS, 10_000 - FLUSH_MS]
  expect(ends).toEqual(ends.toSorted((a, b) => a - b))
  const service = await startProcess({ main: await impatientService() })
  expect(await service.stop()).toBe(1)
  expect(service.output.log.at(-1)).toMatchObject(BY_FORCE)
})

test('a start that waits for a silent database is ended by force after a signal, and the log says so', async () => {
  const { promise: connected, resolve: open } = Promise.withResolvers<unknown>()
  using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open, data: () => {} } })
  const databaseUrl = `postgres://petstore@127.0.0.1:${silent.port}/petstore`
  const service = new ServiceProcess({ main: await impatientService(), databaseUrl })
  await connected
  expect(await service.stop()).toBe(1)
  expect(service.output.log.at(-1)).toMatchObject(BY_FORCE)
})

test('killed with -9 during writes, the service has every acknowledged animal and gives no identifier twice', async () => {
  const databaseUrl = await freshSqliteUrl()
  const service = await startProcess({ databaseUrl })
  const load = new Load(() => service.url)
  await eventually('animals are added', () => load.acknowledged.size > 50 || undefined)
  await service.kill()
  const stopping = load.stop()
  using again = await startService(service.options)
  // Before a client sees it, what was in the write-ahead log is in the database and synced.
  expect(statSync(`${pathOf(databaseUrl)}-wal`).size).toBe(0)
  await stopping
  const { pets } = await walk(again, '/v1/pets?limit=100')
  const stored = pets.map(({ id, name }) => ({ id: String(id), name }))
  expect(balance(load, stored)).toEqual({ ...BALANCED, unanswered: expect.anything() })
  expect((await again.post(petJson({}))).pet.id).toBeGreaterThan(pets.at(-1)?.id ?? 0n)
})
