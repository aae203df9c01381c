import { expect } from 'bun:test'
import { Load } from '../../support/load/load.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { API_KEY } from '../../support/service/service.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured, TIMEOUT_MS } from './support/form.ts'
import { openDescriptors, residentBytes } from './support/proc.ts'

const { test } = needs('root')

const WARM_SECONDS = figure(6, 5 * 60)
const SECONDS = figure(6, 15 * 60)
const SAMPLE_MS = 1000
/** Work warms up the runtime, not time: beside other tests it takes longer. */
const WARM_REQUESTS = 30_000
/** In the short form the runtime is still compiling, so this only catches runaway memory. */
const GROWTH_A_MINUTE = isFull ? 0.01 : 1
const LOOKS = isFull ? 1 : 4
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

interface Watched {
  readonly mean: number
  /** Growth of memory per minute, as a share of the mean. */
  readonly growth: number
  readonly leaked: number
}

/** Samples memory and descriptors of a process for SECONDS. */
async function watch(pid: number): Promise<Watched> {
  const memory: number[] = []
  const descriptors: number[] = []
  for (let sample = 0; sample < (SECONDS * 1000) / SAMPLE_MS; sample++) {
    await Bun.sleep(SAMPLE_MS)
    memory.push(residentBytes(pid))
    descriptors.push(openDescriptors(pid))
  }
  const mean = memory.reduce((sum, bytes) => sum + bytes, 0) / memory.length
  // The number of connections that the callers keep open varies.
  const third = Math.floor(descriptors.length / 3)
  return {
    mean,
    growth: (slope(memory) * (60_000 / SAMPLE_MS)) / mean,
    leaked: Math.max(...descriptors.slice(-third)) - Math.max(...descriptors.slice(0, 2 * third)),
  }
}

test(`${SECONDS} seconds of mixed load once warm: memory does not grow, and no descriptor is leaked`, async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
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
  const requests = (): number => load.acknowledged.size + load.reads + lists
  await Bun.sleep(WARM_SECONDS * 1000)
  await eventually('the service is warm', () => requests() >= WARM_REQUESTS || undefined, TIMEOUT_MS / 2)
  let watched = await watch(pid)
  // A leak keeps growing in every look; memory taken by the warm-up does not.
  for (let looks = 1; looks < LOOKS && watched.growth >= GROWTH_A_MINUTE; looks++) watched = await watch(pid)
  const { mean, growth, leaked } = watched
  isOver = true
  await Promise.all([...listing, load.stop()])
  expect([load.unexpected, load.foreign]).toEqual([[], []])
  expect(await service.stop()).toBe(0)
  measured(
    'soak',
    `${SECONDS} s once warm, ${requests()} requests in all: ${(mean / MEGABYTE).toFixed(0)} MB resident, growing ${(growth * 100).toFixed(2)} % a minute; ${Math.max(0, leaked)} descriptors leaked`,
  )
  expect(growth).toBeLessThan(GROWTH_A_MINUTE)
  expect(leaked).toBeLessThanOrEqual(0)
})
