import { expect } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { eventually, isAlive } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { storedPets } from './support/stored.ts'
import { hangDisk } from './support/system.ts'

const { test } = needs('strace', 'root')

const DUE_MS = 5000
const AT_ONCE_MS = 1000
const STOPPED_MS = 10_000
const WRITERS = 40

const add = (service: ServiceProcess, name: string) =>
  service.post(petJson({ name }), { 'Idempotency-Key': name })

async function timed<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  const since = performance.now()
  return { result: await work, tookMs: performance.now() - since }
}

async function freshService(): Promise<ServiceProcess> {
  const service = await startProcess()
  expect(await add(service, 'before')).toHaveStatus(201)
  return service
}

test('while the disk hangs, writers hear an honest 503 within 5 seconds and the next ones at once, reads go on, and what was stored late is there once', async () => {
  const service = await freshService()
  const disk = await hangDisk(service.process.pid)
  const names = Array.from({ length: WRITERS }, (_, n) => `hung ${n}`)
  // The first already waits for the disk when the others arrive.
  const answers = await Promise.all(names.map(name => timed(add(service, name))))
  for (const { result, tookMs } of answers) {
    expect(result.headers.get('retry-after')).toBe('1')
    expect(tookMs).toBeLessThan(DUE_MS)
  }
  const unknown = answers.filter(({ result }) => result.failure === '503 outcome_unknown')
  const waiting = answers.filter(({ result }) => result.error.message.includes('it cannot keep up'))
  expect(waiting.length).toBeGreaterThan(0)
  expect(unknown.length + waiting.length).toBe(WRITERS)
  // Those who wait for the batch in progress are rejected early, because they never reached the disk.
  const times = (of: typeof answers): number[] => of.map(({ tookMs }) => tookMs)
  expect(Math.max(...times(waiting))).toBeLessThan(Math.min(...times(unknown)))

  const refused = await timed(add(service, 'refused'))
  expect(refused.result.failure).toBe('503 unavailable')
  expect(refused.tookMs).toBeLessThan(AT_ONCE_MS)
  expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  expect(await service.fetch('/livez')).toHaveStatus(200)
  expect((await service.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['before'])
  const stalled = await service.output.entry(({ event }) => event === 'storage-stalled')
  expect(stalled.level).toBe('error')

  await disk.detach()
  await eventually('ready again', async () => (await service.fetch('/readyz')).status === 200 || undefined)
  await service.output.entry(({ event }) => event === 'storage-recovered')
  const repeats = await Promise.all(names.map(name => add(service, name)))
  expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([201]))
  // A disk that only hung has stored all that it was given, and no other.
  const replayed = repeats.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
  expect(replayed.length).toBe(unknown.length)
  expect(replayed.length).toBeGreaterThan(0)
  expect(await service.stop()).toBe(0)
  const stored = storedPets(service.options.databaseUrl).map(({ name }) => name)
  expect(stored.toSorted()).toEqual(['before', ...names].toSorted())
})

test('SIGTERM ends a service whose disk hangs within 10 seconds, with a line in the log and a code that is not 0', async () => {
  const service = await freshService()
  const { pid } = service.process
  const disk = await hangDisk(pid)
  const writing = add(service, 'under way')
  service.signal('SIGTERM')
  // The main thread ends; the thread that hangs in the disk may remain, and the process with it.
  await eventually('the main thread has ended', () => !isAlive(pid) || undefined, STOPPED_MS)
  expect((await writing).failure).toBe('503 outcome_unknown')
  await disk.detach()
  expect(await service.exited()).toBe(1)
  expect(service.output.log.at(-1)?.event).toMatch(/^stopped/)
  // It is not reached if the service was ended by force.
  expect(service.errors.text).toMatch(/^(?:petstore: The database was not closed: The writer does .+\n)?$/)
  using again = await service.restart()
  expect((await again.fetch('/v1/pets')).pets.map(({ name }) => name)).toContain('before')
})
