import { afterEach, expect, jest, mock, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OutcomeUnknown, StorageUnavailable } from './errors.ts'
import { GroupCommit } from './group-commit.ts'

const LIMITS = {
  maxWaiting: 100,
  maxBatch: 10,
  maxInFlight: 1,
  furtherShare: 0,
  enough: 10,
  maxWaitMs: 10_000,
  maxExpectedMs: 10_000,
}

/** A commit that the test releases batch by batch. */
function gate(limits: Partial<typeof LIMITS> = {}) {
  const batches: { items: readonly number[]; done: PromiseWithResolvers<void> }[] = []
  const commit = (items: readonly number[]): Promise<string[]> => {
    const done = Promise.withResolvers<void>()
    batches.push({ items, done })
    return done.promise.then(() => items.map(item => `stored ${item}`))
  }
  return { batches, group: new GroupCommit(commit, { ...LIMITS, ...limits }) }
}

const [WAITS, REFUSED] = ['not refused, still waiting', 'StorageUnavailable: overloaded']
/** What a caller hears within a turn: one that is not refused waits for a batch that the test holds. */
const outcomeNow = (adding: Promise<string>): Promise<string> =>
  Promise.race([adding.catch(refusalOf), nextTurn().then(() => WAITS)])
const refusalOf = ({ name, trouble }: StorageUnavailable): string => `${name}: ${trouble}`

/** Stops the clock at a time, until the end of the test. */
const stopClockAt = (ms: number): unknown => spyOn(performance, 'now').mockReturnValue(ms)
afterEach(() => {
  jest.useRealTimers()
  mock.restore()
})

/** The first item is on its way to a storage of which nothing is known yet. */
async function slowStorage(maxInFlight = 1) {
  const { batches, group } = gate({ maxBatch: 2, maxInFlight, maxExpectedMs: 50 })
  stopClockAt(0)
  const first = group.add(1)
  await nextTurn()
  return { batches, group, first }
}

test('no item is answered before its batch is durable; the next batch gathers meanwhile', async () => {
  const { batches, group } = gate()
  let answered = 0
  const first = group.add(1).then(() => answered++)
  await nextTurn()
  const later = Promise.all([2, 3].map(item => group.add(item)))
  await nextTurn()
  expect(answered).toBe(0)
  expect(batches).toHaveLength(1)
  batches[0]?.done.resolve()
  await first
  await nextTurn()
  expect(batches[1]?.items).toEqual([2, 3])
  batches[1]?.done.resolve()
  expect(await later).toEqual(['stored 2', 'stored 3'])
})

test('a batch that is large enough does not wait for the end of the turn', async () => {
  const { batches, group } = gate({ enough: 2 })
  const results = Promise.all([1, 2, 3].map(item => group.add(item)))
  expect(batches.map(({ items }) => items)).toEqual([[1, 2]])
  batches[0]?.done.resolve()
  await nextTurn()
  expect(batches[1]?.items).toEqual([3])
  batches[1]?.done.resolve()
  expect(await results).toEqual(['stored 1', 'stored 2', 'stored 3'])
})

test('with two batches in flight allowed, a second one starts before the first is done, and never a third', async () => {
  const { batches, group } = gate({ maxInFlight: 2 })
  const added = [group.add(1)]
  await nextTurn()
  added.push(group.add(2))
  await nextTurn()
  expect(batches.map(({ items }) => items)).toEqual([[1], [2]])
  added.push(group.add(3), group.add(4))
  await nextTurn()
  expect(batches).toHaveLength(2)
  // The second may be done first; the batch that collected takes its place.
  batches[1]?.done.resolve()
  expect(await added[1]).toBe('stored 2')
  await nextTurn()
  expect(batches[2]?.items).toEqual([3, 4])
  added.push(group.add(5))
  await nextTurn()
  expect(batches).toHaveLength(3)
  for (const at of [0, 2]) batches[at]?.done.resolve()
  await nextTurn()
  batches[3]?.done.resolve()
  expect(await Promise.all(added)).toEqual([1, 2, 3, 4, 5].map(item => `stored ${item}`))
})

test('a second batch starts only once as many wait as are in flight, or the first is done', async () => {
  const { batches, group } = gate({ maxInFlight: 2, furtherShare: 1 })
  const added: Promise<string>[] = []
  const addNow = (...items: number[]): Promise<void> => {
    added.push(...items.map(item => group.add(item)))
    return nextTurn()
  }
  await addNow(1, 2)
  await addNow(3)
  expect(batches.map(({ items }) => items)).toEqual([[1, 2]])
  await addNow(4)
  expect(batches[1]?.items).toEqual([3, 4])
  await addNow(5)
  for (const { done } of batches) done.resolve()
  await Promise.all(added.slice(0, 4))
  await nextTurn()
  expect(batches[2]?.items).toEqual([5])
  batches[2]?.done.resolve()
  expect(await added[4]).toBe('stored 5')
})

test('with two batches in flight, one that the storage cannot store fails those that wait, and not the other', async () => {
  const { batches, group } = gate({ maxInFlight: 2 })
  const first = group.add(1)
  await nextTurn()
  const second = group.add(2)
  await nextTurn()
  const lost = Promise.allSettled([first, group.add(3)])
  batches[0]?.done.reject(new StorageUnavailable(undefined))
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  batches[1]?.done.resolve()
  expect(await second).toBe('stored 2')
  expect(batches).toHaveLength(2)
})

test('a batch has at most as many items as allowed, in their order', async () => {
  const { batches, group } = gate()
  const results = Promise.all(Array.from({ length: 25 }, (_, item) => group.add(item)))
  for (let batch = 0; batch < 3; batch++) {
    await nextTurn()
    batches[batch]?.done.resolve()
    await nextTurn()
  }
  expect(batches.map(({ items }) => items.length)).toEqual([10, 10, 5])
  expect(await results).toEqual(Array.from({ length: 25 }, (_, item) => `stored ${item}`))
})

test('a batch that fails because of a defect fails its own callers, and the next is committed', async () => {
  const { batches, group } = gate()
  const failed = Promise.allSettled([1, 2].map(item => group.add(item)))
  await nextTurn()
  const next = group.add(3)
  batches[0]?.done.reject(new Error('a defect'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  batches[1]?.done.resolve()
  expect(await next).toBe('stored 3')
})

test('a storage that cannot answer fails all that wait at once, who know that nothing was stored, and the next item is committed all the same', async () => {
  const { batches, group } = gate()
  const first = group.add(1)
  await nextTurn()
  const lost = [first, group.add(2), group.add(3)].map(outcomeNow)
  batches[0]?.done.reject(new OutcomeUnknown(undefined, 'disk-full'))
  const unavailable = 'StorageUnavailable: disk-full'
  expect(await Promise.all(lost)).toEqual(['OutcomeUnknown: disk-full', unavailable, unavailable])
  expect(batches).toHaveLength(1)
  const next = group.add(4)
  await nextTurn()
  batches[1]?.done.resolve()
  expect(await next).toBe('stored 4')
})

test('callers that have waited too long are refused while a batch is still in flight, which is stored, as is whoever came later', async () => {
  jest.useFakeTimers()
  const { batches, group } = gate({ maxWaitMs: 2000 })
  const inFlight = group.add(1)
  await nextTurn()
  const late = group.add(2)
  jest.advanceTimersByTime(500)
  const alsoLate = group.add(2)
  jest.advanceTimersByTime(500)
  const later = group.add(3)
  jest.advanceTimersByTime(999)
  expect(await outcomeNow(late)).toBe(WAITS)
  jest.advanceTimersByTime(1)
  expect(await Promise.all([inFlight, late, later].map(outcomeNow))).toEqual([WAITS, REFUSED, WAITS])
  jest.advanceTimersByTime(500)
  expect(await outcomeNow(alsoLate)).toBe(REFUSED)
  batches[0]?.done.resolve()
  await nextTurn()
  for (const item of [4, 5]) {
    const lateToo = group.add(item)
    jest.advanceTimersByTime(2000)
    expect(await outcomeNow(lateToo)).toBe(REFUSED)
  }
  batches[1]?.done.resolve()
  expect(await Promise.all([inFlight, later])).toEqual(['stored 1', 'stored 3'])
})

test('beyond the limit an item is refused as unavailable, and those waiting are kept', async () => {
  const { batches, group } = gate({ maxWaiting: 2 })
  const waiting = Promise.all([group.add(1), group.add(2)])
  expect(await outcomeNow(group.add(3))).toBe(REFUSED)
  await nextTurn()
  batches[0]?.done.resolve()
  expect(await waiting).toEqual(['stored 1', 'stored 2'])
})

test('slow storage refuses at once a caller that would wait too long, and always lets one batch gather', async () => {
  const { batches, group, first } = await slowStorage()
  // It is expected of each of the three batches that a caller would wait for.
  stopClockAt(17)
  batches[0]?.done.resolve()
  await first
  const underWay = group.add(2)
  await nextTurn()
  const gathering = Promise.all([group.add(3), group.add(4)])
  expect(await outcomeNow(group.add(5))).toBe(REFUSED)
  batches[1]?.done.resolve()
  await underWay
  await nextTurn()
  batches[2]?.done.resolve()
  expect(await gathering).toEqual(['stored 3', 'stored 4'])
  // After two batches that took no time, the slow one limits nobody.
  const crowd = Array.from({ length: 8 }, () => group.add(6))
  expect(await Promise.all(crowd.map(outcomeNow))).toEqual(Array(8).fill(WAITS))
  // A later batch that is slow refuses none of those who wait already.
  stopClockAt(1000)
  batches[3]?.done.resolve()
  await crowd[0]
  expect(await Promise.all(crowd.slice(2).map(outcomeNow))).toEqual(Array(6).fill(WAITS))
})

test.each([
  [1, 4],
  [2, 10],
])('of a crowd beside a slow first batch, of %d at once, %d may wait', async (maxInFlight, most) => {
  const { batches, group, first } = await slowStorage(maxInFlight)
  const crowd = Array.from({ length: most + 2 }, () => group.add(2))
  stopClockAt(20)
  batches[0]?.done.resolve()
  await first
  expect(await Promise.all(crowd.slice(most).map(outcomeNow))).toEqual([REFUSED, REFUSED])
  for (let batch = 1; batch <= most / 2; batch++) {
    await nextTurn()
    batches[batch]?.done.resolve()
  }
  expect(await Promise.all(crowd.slice(0, most))).toEqual(Array(most).fill('stored 2'))
})
