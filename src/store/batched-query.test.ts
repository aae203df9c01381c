import { describe, expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { batchedLookup, batchedQuery } from './batched-query.ts'

/** Questions that the test answers one by one. */
function gate() {
  const put: PromiseWithResolvers<string>[] = []
  const ask = batchedQuery(() => {
    const answer = Promise.withResolvers<string>()
    put.push(answer)
    return answer.promise
  })
  return { put, ask }
}

describe('one question for all who wait', () => {
  test('those who come together share one', async () => {
    const { put, ask } = gate()
    const answers = Promise.all([ask(), ask(), ask()])
    await nextTurn()
    expect(put).toHaveLength(1)
    put[0]?.resolve('one')
    expect(await answers).toEqual(['one', 'one', 'one'])
  })

  test('who comes while one is under way is answered by the next, which all others of that time share', async () => {
    const { put, ask } = gate()
    const first = ask()
    await nextTurn()
    const later = Promise.all([ask(), ask()])
    await nextTurn()
    expect(put).toHaveLength(1)
    put[0]?.resolve('early')
    expect(await first).toBe('early')
    await nextTurn()
    expect(put).toHaveLength(2)
    put[1]?.resolve('late')
    expect(await later).toEqual(['late', 'late'])
  })

  test('one that fails fails those who share it, and the next is asked all the same', async () => {
    const { put, ask } = gate()
    const lost = Promise.allSettled([ask(), ask()])
    await nextTurn()
    const next = ask()
    put[0]?.reject(new Error('gone'))
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await nextTurn()
    put[1]?.resolve('here')
    expect(await next).toBe('here')
  })

  test('one that hangs does not hold up who comes later', async () => {
    const { put, ask } = gate()
    void ask()
    await nextTurn()
    using waiting = spyOn(Bun, 'sleep')
    const next = ask()
    expect(waiting).toHaveBeenCalledWith(100)
    while (put.length < 2) await nextTurn()
    put[1]?.resolve('soon')
    expect(await next).toBe('soon')
  })

  test('a late answer to an earlier query does not hurry callers that wait for the last one', async () => {
    const { put, ask } = gate()
    using waiting = spyOn(Bun, 'sleep').mockResolvedValue(undefined)
    void ask()
    await nextTurn()
    void ask()
    while (put.length < 2) await nextTurn()
    waiting.mockReturnValue(new Promise(() => {}))
    put[0]?.resolve('late')
    await nextTurn()
    const last = ask()
    await nextTurn()
    expect(put).toHaveLength(2)
    put[1]?.resolve('soon')
    while (put.length < 3) await nextTurn()
    put[2]?.resolve('last')
    expect(await last).toBe('last')
  })
})

describe('one lookup for all who wait', () => {
  const found = (keys: readonly string[]) => new Map(keys.map(key => [key, key.toUpperCase()]))

  test('each gets what was found for its key', async () => {
    const asked: (readonly string[])[] = []
    const find = batchedLookup(async keys => {
      asked.push(keys)
      return found(keys.filter(key => key !== 'b'))
    })
    expect(await Promise.all(['a', 'b', 'a'].map(find))).toEqual(['A', undefined, 'A'])
    expect(await find('c')).toBe('C')
    expect(asked).toEqual([['a', 'b', 'a'], ['c']])
  })

  test('callers whose lookup failed make room for others', async () => {
    let isDown = true
    const find = batchedLookup(async keys => (isDown ? Promise.reject(new Error('down')) : found(keys)))
    const failing = await Promise.allSettled(Array.from({ length: 5000 }, () => find('a')))
    expect(failing.map(({ status }) => status)).not.toContain('fulfilled')
    isDown = false
    expect(await find('b')).toBe('B')
  })

  test('too many are refused immediately, and those who wait are not', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const find = batchedLookup(async keys => {
      await promise
      return found(keys)
    })
    const waiting = Array.from({ length: 5000 }, () => find('a'))
    await expect(find('a')).rejects.toMatchObject({ name: 'StorageUnavailable', trouble: 'overloaded' })
    resolve()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['A']))
  })
})
