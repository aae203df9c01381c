import { expect } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { walk } from '../../support/http/walk.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { HungDisk } from './support/hung-disk.ts'
import { integrity } from './support/stored.ts'
import { msToEnd } from './support/threads.ts'

const { test } = needs('strace')

const DUE_MS = 5000
const AT_ONCE_MS = 1000
const STOPPED_MS = 10_000
const WRITERS = 40
const TIMES = figure(1, 10)

const add = (service: ServiceProcess, name: string) =>
  service.post(petJson({ name }), { 'Idempotency-Key': name })

async function timed<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  const since = performance.now()
  return { result: await work, tookMs: performance.now() - since }
}

async function freshService(): Promise<ServiceProcess> {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  expect((await add(service, 'before')).status).toBe(201)
  return service
}

test('while the disk hangs, writers hear an honest 503 within 5 seconds and the next ones at once, reads go on, and what was stored late is there once', async () => {
  let slowest = 0
  let slowestRefusal = 0
  let storedLate = 0
  for (let time = 0; time < TIMES; time++) {
    const service = await freshService()
    const disk = await HungDisk.under(service.process.pid)
    const names = Array.from({ length: WRITERS }, (_, n) => `hung ${n}`)
    // The first already waits for the disk when the others arrive.
    const answers = await Promise.all(names.map(name => timed(add(service, name))))
    slowest = Math.max(slowest, ...answers.map(({ tookMs }) => tookMs))
    for (const { result } of answers) {
      expect([result.failure, result.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
      expect(result.error.message).toMatch(/not known whether this was stored|cannot answer right now/)
    }
    expect(answers.filter(({ result }) => result.error.message.includes('not known')).length).toBeGreaterThan(
      0,
    )

    const refused = await timed(add(service, 'refused'))
    expect(refused.result.failure).toBe('503 unavailable')
    slowestRefusal = Math.max(slowestRefusal, refused.tookMs)
    expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
    expect((await service.fetch('/livez')).status).toBe(200)
    expect((await service.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['before'])
    await service.output.entry(({ event }) => event === 'storage-stalled')

    await disk.recover()
    await eventually('ready again', async () => (await service.fetch('/readyz')).status === 200 || undefined)
    await service.output.entry(({ event }) => event === 'storage-recovered')
    const repeats = await Promise.all(names.map(name => add(service, name)))
    expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([201]))
    storedLate += repeats.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length
    const stored = (await walk(service, '/v1/pets?limit=100')).pets.map(({ name }) => name)
    expect(stored.toSorted()).toEqual(['before', ...names].toSorted())
    expect(await service.stop()).toBe(0)
    expect(await integrity(service.options.databaseUrl)).toBe('ok')
  }
  expect(slowest).toBeLessThan(DUE_MS)
  expect(slowestRefusal).toBeLessThan(AT_ONCE_MS)
  expect(storedLate).toBeGreaterThan(0)
  measured(
    'a disk that hangs',
    `${TIMES} times: ${TIMES * WRITERS} writers answered 503, the slowest after ${Math.round(slowest)} ms, the next at once (${Math.round(slowestRefusal)} ms); ${storedLate} stored late, each there once`,
  )
})

test('SIGTERM ends a service whose disk hangs within 10 seconds, with a line in the log and a code that is not 0', async () => {
  const service = await freshService()
  const disk = await HungDisk.under(service.process.pid)
  const writing = add(service, 'under way')
  const tookMs = await msToEnd(service)
  expect((await writing).failure).toBe('503 unavailable')
  // Only now can the hung thread end too.
  await disk.recover()
  expect(await service.exited()).toBe(1)
  expect(tookMs).toBeLessThan(STOPPED_MS)
  expect(service.output.log.at(-1)?.event).toMatch(/^stopped/)
  measured('SIGTERM while the disk hangs', `ended after ${Math.round(tookMs)} ms`)
  const again = await service.restart()
  expect((await again.fetch('/v1/pets')).pets.map(({ name }) => name)).toContain('before')
  expect(await again.stop()).toBe(0)
})
