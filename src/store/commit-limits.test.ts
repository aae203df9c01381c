import { expect, test } from 'bun:test'
import { commitLimits } from './group-commit.ts'

test('threads share the 10,000 animals that may wait, and none waits longer than 2 seconds', () => {
  expect([1, 3, 4].map(threads => commitLimits(threads, 1).maxWaiting)).toEqual([10_000, 3334, 2500])
  expect(commitLimits(1, 1).maxWaitMs).toBeLessThan(2000)
})
