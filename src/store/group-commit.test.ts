import { describe, expect, test } from 'bun:test'
import { GroupCommit, type Outcome } from './group-commit.ts'

const LIMITS = { maxWaiting: 100, maxBatch: 10 }

/** A commit that the test lets through batch by batch. */
function gate() {
  const batches: { items: readonly number[]; done: PromiseWithResolvers<void> }[] = []
  const commit = async (items: readonly number[]): Promise<Outcome<string>[]> => {
    const done = Promise.withResolvers<void>()
    batches.push({ items, done })
    await done.promise
    return items.map(item =>
      item < 0 ? { ok: false, error: new Error(`refused ${item}`) } : { ok: true, value: `stored ${item}` },
    )
  }
  return { batches, commit }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('group commit', () => {
  test('items that arrive together are committed together', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, LIMITS)
    const results = Promise.all([1, 2, 3].map(item => group.add(item)))
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]])
    batches[0]?.done.resolve()
    expect(await results).toEqual(['stored 1', 'stored 2', 'stored 3'])
  })

  test('no item is answered before its batch is durable; the next batch gathers meanwhile', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, LIMITS)
    let answered = 0
    const first = group.add(1).then(() => answered++)
    await turn()
    const later = Promise.all([2, 3].map(item => group.add(item)))
    await turn()
    expect(answered).toBe(0)
    expect(batches).toHaveLength(1)
    batches[0]?.done.resolve()
    await first
    await turn()
    expect(batches[1]?.items).toEqual([2, 3])
    batches[1]?.done.resolve()
    expect(await later).toEqual(['stored 2', 'stored 3'])
  })

  test('a batch has at most as many items as allowed, in their order', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, LIMITS)
    const results = Promise.all(Array.from({ length: 25 }, (_, item) => group.add(item)))
    for (let batch = 0; batch < 3; batch++) {
      await turn()
      batches[batch]?.done.resolve()
      await turn()
    }
    expect(batches.map(({ items }) => items.length)).toEqual([10, 10, 5])
    expect(await results).toEqual(Array.from({ length: 25 }, (_, item) => `stored ${item}`))
  })

  test('the failure of one item is its own', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, LIMITS)
    const results = Promise.allSettled([1, -2, 3].map(item => group.add(item)))
    await turn()
    batches[0]?.done.resolve()
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('a batch that fails rejects its items, and the next one is committed all the same', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, LIMITS)
    const lost = Promise.allSettled([group.add(1), group.add(2)])
    await turn()
    batches[0]?.done.reject(new Error('disk full'))
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = group.add(3)
    await turn()
    batches[1]?.done.resolve()
    expect(await next).toBe('stored 3')
  })

  test('beyond the limit an item is refused as unavailable, and those waiting are kept', async () => {
    const { batches, commit } = gate()
    const group = new GroupCommit(commit, { maxWaiting: 2, maxBatch: 10 })
    const waiting = Promise.all([group.add(1), group.add(2)])
    await expect(group.add(3)).rejects.toMatchObject({ code: 'unavailable' })
    await turn()
    batches[0]?.done.resolve()
    expect(await waiting).toEqual(['stored 1', 'stored 2'])
  })
})
