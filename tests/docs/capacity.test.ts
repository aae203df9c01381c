import { expect, test } from 'bun:test'
import {
  type Costs,
  checked,
  costsFrom,
  createsPerSecond,
  type Point,
  type Setting,
} from '../../bench/capacity.ts'
import results from '../../bench/results/capacity.json'

const points = results.creates as Point[]
const COSTS: Costs = {
  commit: { batchMs: 1, animalMs: 0.01 },
  turn: { batchMs: 2, animalMs: 0 },
  requestMs: 0.05,
  processorMs: 0.1,
}
const setting: Setting = { engine: 'postgres', flushMs: 8, callers: 200, instances: 1, threads: 1, cores: 64 }

test('the model of capacity is within 20% of every measurement that it was not calibrated with', () => {
  const rows = checked(points)
  expect(rows.length).toBeGreaterThanOrEqual(6)
  expect(rows.filter(({ error }) => Math.abs(error) > 0.2)).toEqual([])
})

test('half of the callers share a commit, up to the limit of a batch; other instances wait for it', () => {
  // 100 animals in 8 + 1 + 1 ms, and 2 ms until the next commit of the same instance.
  expect(createsPerSecond(setting, COSTS)).toBeCloseTo(100 / 0.012)
  expect(createsPerSecond({ ...setting, batchLimit: 50 }, COSTS)).toBeCloseTo(50 / 0.0115)
  expect(createsPerSecond({ ...setting, instances: 2 }, COSTS)).toBeCloseTo(50 / 0.0095)
})

test('listener threads and processors bound creates when commits do not', () => {
  const fast = { ...setting, engine: 'sqlite', flushMs: 0, callers: 100_000 } as const
  expect(createsPerSecond(fast, COSTS)).toBeCloseTo(20_000)
  expect(createsPerSecond({ ...fast, threads: 4, cores: 2 }, COSTS)).toBeCloseTo(20_000)
  expect(createsPerSecond({ ...fast, threads: 64 }, COSTS)).toBeGreaterThan(90_000)
})

test('every cost that was measured is positive', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { commit, requestMs, processorMs } = costsFrom(engine, points)
    expect(Math.min(commit.batchMs, commit.animalMs, requestMs, processorMs)).toBeGreaterThan(0)
  }
})
