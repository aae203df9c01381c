import { afterEach, expect, setSystemTime, spyOn, test } from 'bun:test'
import { EventQueue } from './events.ts'

afterEach(() => void setSystemTime())

test('events are passed on soon, after a quiet time too, and immediately when many wait', async () => {
  const passed: string[] = []
  using timers = spyOn(globalThis, 'setTimeout')
  let batches = 0
  const queue = new EventQueue([
    undefined,
    { add: ({ kind }) => void passed.push(kind), flush: () => void batches++ },
  ])
  for (const count of [1, 2]) {
    queue.observe({ kind: 'storage-stalled' })
    expect(passed).toHaveLength(count - 1)
    while (passed.length < count) await Bun.sleep(1)
  }
  expect(timers.mock.calls[0]?.[1]).toBeLessThan(100)
  for (let n = 0; n < 256; n++) queue.observe({ kind: 'storage-stalled' })
  expect([passed.length, batches]).toEqual([258, 3])
})

test('an event has the time at which it happened, not that at which it is passed on', () => {
  const times: number[] = []
  const queue = new EventQueue([{ add: (_event, at) => void times.push(at) }])
  for (const at of [1000, 2000]) {
    setSystemTime(at)
    queue.observe({ kind: 'storage-stalled' })
  }
  setSystemTime(3000)
  queue.flush()
  expect(times).toEqual([1000, 2000])
})
