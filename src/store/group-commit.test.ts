import { expect, test } from 'bun:test'
import { PetstoreError } from '../contract/errors.ts'
import { GroupCommit } from './group-commit.ts'

const LIMITS = { maxWaiting: 100, maxBatch: 4, maxWaitMs: 50 }

const outcome = (promise: Promise<number>): Promise<number | string> =>
  promise.catch(error => (error instanceof PetstoreError ? error.code : String(error)))

test('what arrives together is made durable together, in order, and each caller gets its own result', async () => {
  const batches: (readonly number[])[] = []
  const group = new GroupCommit<number, number>(async batch => {
    batches.push(batch)
    return batch.map(item => item * 10)
  }, LIMITS)
  expect(await Promise.all([1, 2, 3, 4, 5].map(item => group.add(item)))).toEqual([10, 20, 30, 40, 50])
  expect(batches).toEqual([[1, 2, 3, 4], [5]])
})

test('a storage that is slow refuses whoever has waited too long, and serves whoever comes then', async () => {
  const group = new GroupCommit<number, number>(async batch => {
    await Bun.sleep(60)
    return batch
  }, LIMITS)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(item => outcome(group.add(item))))
  expect(answers).toEqual([1, 2, 3, 4, 'unavailable', 'unavailable'])
  expect(await outcome(group.add(7))).toBe(7)
})

test('one bad item does not fail those that arrived with it', async () => {
  const group = new GroupCommit<number, number>(async batch => {
    if (batch.includes(2)) throw new RangeError('two')
    return batch
  }, LIMITS)
  expect(await Promise.all([1, 2, 3].map(item => outcome(group.add(item))))).toEqual([
    1,
    'RangeError: two',
    3,
  ])
})

test('a storage that cannot answer is not asked again for those who wait', async () => {
  let asked = 0
  const group = new GroupCommit<number, number>(async () => {
    asked++
    throw new PetstoreError('unavailable')
  }, LIMITS)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(item => outcome(group.add(item))))
  expect(new Set(answers)).toEqual(new Set(['unavailable']))
  expect(asked).toBe(1)
})

test('a full queue refuses at once', async () => {
  const group = new GroupCommit<number, number>(async batch => batch, { ...LIMITS, maxWaiting: 2 })
  const answers = [1, 2, 3].map(item => outcome(group.add(item)))
  expect(await Promise.all(answers)).toEqual([1, 2, 'unavailable'])
})
