import { expect, test } from 'bun:test'
import { EventQueue } from './events.ts'

test('events are passed on soon, after a quiet time too, and immediately when many wait', async () => {
  const passed: string[] = []
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
  for (let n = 0; n < 256; n++) queue.observe({ kind: 'storage-stalled' })
  expect([passed.length, batches]).toEqual([258, 3])
})
