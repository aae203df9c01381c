import { expect, spyOn, test } from 'bun:test'
import { Counter } from './counts.ts'
import type { Event } from './events.ts'

test('a bucket holds what is not above its bound, and the time of a commit is not that of its whole batch', () => {
  const counter = new Counter()
  for (const size of [1, 2, 3]) counter.add({ kind: 'batch-stored', size, commitMs: 100 })
  const figures = counter.figures()
  const upTo = (bound: string) => figures[`petstore_store_batch_size_bucket{le="${bound}"}`]
  expect([upTo('1'), upTo('2'), upTo('8192'), upTo('+Inf')]).toEqual([1, 2, 3, 3])
  expect(figures['petstore_store_commit_duration_seconds_bucket{le="5"}']).toBe(3)
  expect(figures.petstore_store_commit_duration_seconds_sum).toBeCloseTo(0.3)
})

test('an accepted request counts as no authentication failure', () => {
  const counter = new Counter()
  const before = Object.keys(counter.figures())
  counter.add({ kind: 'request', operation: 'getPet', status: 200, durationMs: 1 } as Event)
  const added = Object.keys(counter.figures()).filter(series => !before.includes(series))
  expect(added.filter(series => !series.startsWith('petstore_request'))).toEqual([])
})

test('work in the background that failed is counted', () => {
  const counter = new Counter()
  counter.add({ kind: 'background-task-failed', task: 'x', cause: 'y' })
  expect(counter.figures().petstore_background_failures_total).toBe(1)
})

test('a pause of a thread is measured once, and in seconds', () => {
  const counter = new Counter()
  let now = 0
  using _clock = spyOn(performance, 'now').mockImplementation(() => now)
  using timer = spyOn(globalThis, 'setInterval')
  counter.measureLag()
  const [measure, everyMs] = timer.mock.calls[0] as [act: () => void, everyMs: number]
  // The second one is early.
  for (now of [everyMs, 1.2 * everyMs, 1000 + 2.2 * everyMs, 1000 + 3.2 * everyMs]) measure()
  expect(counter.figures().petstore_event_loop_lag_seconds_sum).toBeCloseTo(1)
})
