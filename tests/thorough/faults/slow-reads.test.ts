import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { createKey } from '../../support/service/cli.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured } from './support/form.ts'
import { seeded } from './support/seed.ts'
import { SlowReads } from './support/slow-reads.ts'
import { pathOf } from './support/stored.ts'
import { msToEnd } from './support/threads.ts'

const { test } = needs('strace')

/** More than a connection caches, so that some reads go to the file. */
const ANIMALS = 100_000
const READ_MS = 100
const READERS = 3
const FOR_MS = figure(2500, 20_000)
/** Holds for 90 % of the reads in the short form, which shares its machine with other tests; for 99 % in the full form. */
const PROMPT_MS = 20
const QUANTILE = isFull ? 0.99 : 0.9
const DUE_MS = 5000
const AT_ONCE_MS = 1000
const STOPPED_MS = 10_000
/** A page that is not the last, cached after the first request, and one that every addition changes. */
const KEPT = '/v1/pets?limit=5'
const LAST = '/v1/pets?status=pending'

async function filledService(): Promise<ServiceProcess> {
  const databaseUrl = await freshSqliteUrl()
  const first = await startProcess({ databaseUrl })
  expect(await first.stop()).toBe(0)
  const database = new Database(pathOf(databaseUrl))
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ANIMALS})
     INSERT INTO pets (name, category_id, status) SELECT 'animal ' || n, 1, 'sold' FROM numbers`,
  )
  database.close()
  const service = await startProcess({ databaseUrl })
  expect((await service.fetch(KEPT)).status).toBe(200)
  expect((await service.post(petJson({ status: 'pending' }))).status).toBe(201)
  return service
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  const since = performance.now()
  return { result: await work, tookMs: performance.now() - since }
}

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0

test('while the disk takes 100 ms for a read, what lies in memory and /livez are answered at once, and every read sees what was added before it', async () => {
  const service = await filledService()
  const key = await createKey(service.options.databaseUrl, 'reader')
  expect((await service.fetch(KEPT, { key })).status).toBe(200)
  const random = seeded('slow reads')
  const disk = await SlowReads.of(service.process.pid, pathOf(service.options.databaseUrl), {
    delay: `${READ_MS}ms`,
  })
  const until = performance.now() + FOR_MS
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < until) await work()
  }
  const slow: number[] = []
  const live: number[] = []
  const kept: number[] = []
  let added = 1
  const probe = (times: number[], target: string, sent: string | null) => async (): Promise<void> => {
    const { result, tookMs } = await timed(service.fetch(target, { key: sent }))
    expect(result.status).toBe(200)
    times.push(tookMs)
    await Bun.sleep(5)
  }
  await Promise.all([
    ...Array.from({ length: READERS }, () =>
      repeat(async () => {
        const { result, tookMs } = await timed(service.fetch(`/v1/pets/${1 + random(ANIMALS)}`))
        expect(result.status).toBe(200)
        slow.push(tookMs)
      }),
    ),
    repeat(async () => {
      expect((await service.post(petJson({ status: 'pending' }))).status).toBe(201)
      added++
      expect((await service.fetch(`${LAST}&limit=100`)).pets.length).toBe(Math.min(added, 100))
    }),
    repeat(probe(live, '/livez', null)),
    // This repeatedly looks up its key.
    repeat(probe(kept, KEPT, key)),
  ])
  const waited = await disk.end()
  expect(quantile(slow, 0.5)).toBeGreaterThan(READ_MS)
  expect([quantile(live, QUANTILE), quantile(kept, QUANTILE)].filter(ms => ms > PROMPT_MS)).toEqual([])
  expect(waited.size).toBeGreaterThan(1)
  expect([...waited]).not.toContain(String(service.process.pid))
  expect(await service.stop()).toBe(0)
  measured(
    'disk reads of 100 ms',
    `${slow.length} reads from the disk, p50 ${Math.round(quantile(slow, 0.5))} ms; ${live.length} of /livez, p50 ${quantile(live, 0.5).toFixed(1)} ms, p99 ${quantile(live, 0.99).toFixed(1)} ms; ${kept.length} from memory, p50 ${quantile(kept, 0.5).toFixed(1)} ms, p99 ${quantile(kept, 0.99).toFixed(1)} ms; the main thread read nothing`,
  )
})

test('while reads of the disk hang, they are a 503 within 5 seconds and then at once, memory and /livez answer, /readyz says no, and all is well afterwards', async () => {
  const service = await filledService()
  const hang = () =>
    SlowReads.of(service.process.pid, pathOf(service.options.databaseUrl), {
      delay: '3600s',
      named: 'Worker',
    })
  const disk = await hang()
  const first = timed(service.fetch(`/v1/pets/50000`))
  await Bun.sleep(100)
  const live = await timed(service.fetch('/livez'))
  const kept = await timed(service.fetch(KEPT))
  expect([live.result.status, kept.result.status]).toEqual([200, 200])
  const { result, tookMs } = await first
  expect([result.failure, result.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
  expect(tookMs).toBeLessThan(DUE_MS)
  const next = await timed(service.fetch(`/v1/pets/30000`))
  expect(next.result.failure).toBe('503 unavailable')
  const ready = await timed(service.fetch('/readyz'))
  expect(ready.result.failure).toBe('503 unavailable')
  expect((await service.fetch('/livez')).status).toBe(200)
  expect((await service.fetch(KEPT)).status).toBe(200)
  expect(Math.max(next.tookMs, ready.tookMs, live.tookMs, kept.tookMs)).toBeLessThan(AT_ONCE_MS)
  await service.output.entry(({ event }) => event === 'storage-stalled')

  await disk.end()
  await eventually('ready again', async () => (await service.fetch('/readyz')).status === 200 || undefined)
  await service.output.entry(({ event }) => event === 'storage-recovered')
  expect((await service.fetch(`/v1/pets/30000`)).status).toBe(200)

  const again = await hang()
  const under = service.fetch(`/v1/pets/25000`)
  const stoppedMs = await msToEnd(service)
  expect((await under).failure).toBe('503 unavailable')
  // Only now can the hung thread end too.
  await again.end()
  await service.exited()
  expect(stoppedMs).toBeLessThan(STOPPED_MS)
  measured(
    'disk reads that hang',
    `503 after ${Math.round(tookMs)} ms, the next after ${Math.round(next.tookMs)} ms; /livez in ${Math.round(live.tookMs)} ms, from memory in ${Math.round(kept.tookMs)} ms; SIGTERM ended it after ${Math.round(stoppedMs)} ms`,
  )
})
