import { expect, test } from 'bun:test'
import { jsonHeads, representation } from '../http/representation.ts'
import { FOREVER, MAX_CACHE_BYTES, ResponseCache } from './cache.ts'

function cacheOf(store = { at: 1, revised: 1 }) {
  return { store, cache: new ResponseCache({ epoch: () => store.at, revision: () => store.revised }) }
}
const page = representation(jsonHeads(), '[]')
const LONG = 'x'.repeat(MAX_CACHE_BYTES / 5)
const large = representation(jsonHeads(), LONG)
const get = async (cache: ResponseCache, key: string) => cache.get(key)

test('a last page is true for one revision of the store, other responses for all of them', async () => {
  const { store, cache } = cacheOf()
  cache.set('last', { representation: page, revision: 1 }, 1)
  cache.set('full', { representation: page, revision: FOREVER }, 1)
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([page, page])
  store.revised = 2
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([undefined, page])
  expect(cache.reads).toEqual({ hits: 3, misses: 1 })
})

test('nothing is kept of another epoch of the store, not even what was read before it changed', async () => {
  const { store, cache } = cacheOf()
  // The first three fill a generation, which makes it the older one.
  const keys = ['1', '2', '3', 'full']
  for (const key of keys) cache.set(key, { representation: large, revision: FOREVER }, 1)
  store.at = 2
  for (const key of keys) expect(await get(cache, key)).toBeUndefined()
  cache.set('late', { representation: page, revision: FOREVER }, 1)
  expect(await get(cache, 'late')).toBeUndefined()
})

test('a response that the store was asked about is not given when its epoch changed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<bigint>()
  const store = { at: 1 }
  const cache = new ResponseCache({ epoch: () => store.at, revision: () => promise })
  cache.set('last', { representation: page, revision: 7n }, 1)
  const [same, other] = [get(cache, 'last'), get(cache, 'last').then(async () => get(cache, 'last'))]
  resolve(7n)
  expect(await same).toBe(page)
  store.at = 2
  expect(await other).toBeUndefined()
})

test.each([
  ['bodies', large, ''],
  ['keys', page, LONG],
])('the oldest responses go when %s fill the cache, unless they are in use', async (_what, kept, ending) => {
  const { cache } = cacheOf()
  const keys = ['used', '1', '2', '3', '4', '5', '6'].map(key => key + ending)
  for (const key of keys) {
    cache.set(key, { representation: kept, revision: FOREVER }, 1)
    await get(cache, `used${ending}`)
  }
  const found = await Promise.all(keys.map(key => get(cache, key)))
  expect(found.map(known => known !== undefined)).toEqual([true, false, false, false, false, true, true])
})
