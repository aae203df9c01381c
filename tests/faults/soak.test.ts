import { expect } from 'bun:test'
import { Load } from '../support/load/load.ts'
import { needs } from '../support/programs/needs.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { API_KEY, startService } from '../support/service/service.ts'
import { figure, isFull, measured } from './support/form.ts'
import { openDescriptors, residentBytes } from './support/proc.ts'

const { test } = needs('root')

const SECONDS = figure(12, 20 * 60)
const WARM_SECONDS = figure(6, 5 * 60)
const SAMPLE_MS = 1000
/** Twice what it takes: in the short form the runtime is still warming up, so there it only must not run away. */
const MAX_RESIDENT = 200 * 2 ** 20
const GROWTH_A_MINUTE = 0.01
const MEGABYTE = 2 ** 20

const LISTS = [
  '/v1/pets',
  '/v1/pets?limit=100',
  '/v1/pets?status=sold',
  '/v1/pets?limit=0',
  '/v1/nowhere',
  '/readyz',
]

/** The slope of a line through equally spaced values, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let above = 0
  let below = 0
  for (const [place, value] of values.entries()) {
    above += (place - middle) * (value - mean)
    below += (place - middle) ** 2
  }
  return above / below
}

test(`${SECONDS} seconds of mixed load: memory does not grow once warm, and no descriptor is leaked`, async () => {
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  const { pid } = service.process
  const load = new Load(() => service.url, 8)
  let isOver = false
  let lists = 0
  const list = async (): Promise<void> => {
    while (!isOver) {
      const answer = await fetch(service.url + LISTS[lists++ % LISTS.length], {
        headers: { Authorization: `Bearer ${API_KEY}` },
      })
      await answer.text()
    }
  }
  const listing = Array.from({ length: 4 }, list)
  const memory: number[] = []
  const descriptors: number[] = []
  for (let sample = 0; sample < (SECONDS * 1000) / SAMPLE_MS; sample++) {
    await Bun.sleep(SAMPLE_MS)
    memory.push(residentBytes(pid))
    descriptors.push(openDescriptors(pid))
  }
  isOver = true
  await Promise.all([...listing, load.stop()])
  await Bun.sleep(500)
  const warm = memory.slice((WARM_SECONDS * 1000) / SAMPLE_MS)
  const mean = warm.reduce((sum, bytes) => sum + bytes, 0) / warm.length
  const growth = (slope(warm) * (60_000 / SAMPLE_MS)) / mean
  // The callers keep a few connections open, now more, now fewer.
  const third = Math.floor(descriptors.length / 3)
  const leaked = Math.max(...descriptors.slice(-third)) - Math.max(...descriptors.slice(0, 2 * third))
  expect([load.unexpected, load.foreign]).toEqual([[], []])
  expect(await service.stop()).toBe(0)
  measured(
    'soak',
    `${SECONDS} s, ${load.acknowledged.size + load.reads + lists} requests: ${(mean / MEGABYTE).toFixed(0)} MB resident, growing ${(growth * 100).toFixed(2)} % a minute after the first ${WARM_SECONDS} s; ${Math.max(0, leaked)} descriptors leaked`,
  )
  // In a dozen seconds beside other tests the runtime is still compiling; so the short form bounds the size alone.
  if (isFull) expect(growth).toBeLessThan(GROWTH_A_MINUTE)
  expect(mean).toBeLessThan(MAX_RESIDENT)
  expect(leaked).toBeLessThanOrEqual(0)
})
