import { expect, test } from 'bun:test'
import { jsonHeads, type Representation, representation } from '../http/representation.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { ResponseCache } from './cache.ts'

const page = representation(jsonHeads(), '[]')
const LONG = 'x'.repeat((8 * 1024 * 1024) / 5)
const large = representation(jsonHeads(), LONG)

/** A cache, and a function that asks it and says whether it had a valid entry. */
function cacheOf(store: { at: number; revised: MaybePromise<bigint> } = { at: 1, revised: 1n }, threads = 1) {
  const cache = new ResponseCache({ epoch: () => store.at, revision: () => store.revised }, threads)
  const isHit = async (key: string, revision?: bigint, kept: Representation = page): Promise<boolean> => {
    let isRead = false
    const { body } = await cache.respond(key, new Headers(), () => {
      isRead = true
      return { representation: kept, revision }
    })
    expect(body).toBe(kept.body)
    return !isRead
  }
  return { store, cache, isHit }
}

test('a last page is valid for one revision of the store, other responses for all of them', async () => {
  const { store, cache, isHit } = cacheOf()
  const both = async () => `${await isHit('last', await store.revised)} ${await isHit('full')}`
  expect([await both(), await both()]).toEqual(['false false', 'true true'])
  store.revised = 2n
  expect([await both(), await both()]).toEqual(['false true', 'true true'])
  expect(cache.reads).toEqual({ hits: 5, misses: 3 })
})

test('nothing is valid in another epoch of the store, not even what was read while it changed', async () => {
  const { store, cache, isHit } = cacheOf()
  // The first three fill a generation, which makes it the older one.
  const keys = ['1', '2', '3', 'full']
  for (const key of keys) await isHit(key, undefined, large)
  store.at = 2
  for (const key of keys) expect(await isHit(key, undefined, large)).toBe(false)
  await cache.respond('late', new Headers(), () => {
    store.at = 3
    return { representation: page, revision: undefined }
  })
  expect(await isHit('late')).toBe(false)
})

test('a response that the store was asked about is not given when its epoch changed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<bigint>()
  const { store, isHit } = cacheOf({ at: 1, revised: promise })
  await isHit('last', 7n)
  const asked = isHit('last', 7n)
  store.at = 2
  resolve(7n)
  expect(await asked).toBe(false)
})

test.each([
  ['bodies', large, ''],
  ['keys', page, LONG],
])('the oldest responses go when %s fill the cache, unless they are in use', async (_what, kept, ending) => {
  const { isHit } = cacheOf()
  const keys = ['used', '1', '2', '3', '4', '5', '6'].map(key => key + ending)
  for (const key of keys) {
    await isHit(key, undefined, kept)
    await isHit(`used${ending}`, undefined, kept)
  }
  const found = ['used', '6', '5', '1'].map(key => isHit(key + ending, undefined, kept))
  expect(await Promise.all(found)).toEqual([true, true, true, false])
})

test('several threads keep no more together than one', async () => {
  for (const [threads, isKept] of [
    [1, true],
    [2, false],
  ] as const) {
    const { isHit } = cacheOf(undefined, threads)
    for (const key of ['first', '2', '3', '4', '5']) await isHit(key, undefined, large)
    expect([threads, await isHit('first', undefined, large)]).toEqual([threads, isKept])
  }
})

test('small responses are bounded too, and a replaced one counts once', async () => {
  const { store, isHit } = cacheOf()
  await isHit('kept')
  for (let n = 2n; n < 12n; n++) {
    store.revised = n
    await isHit('last', n, large)
  }
  expect(await isHit('kept')).toBe(true)
  for (let n = 0; n < 10_000; n++) await isHit(`${n}`)
  expect(await isHit('0')).toBe(false)
})
