import { expect, test } from 'bun:test'
import { FOREVER, MAX_BYTES, ResponseCache } from './cache.ts'
import { jsonTemplate, representation } from './response.ts'

function cacheOf(store = { at: 1, revised: 1 }) {
  return { store, cache: new ResponseCache({ epoch: () => store.at, revision: () => store.revised }) }
}
const page = representation(jsonTemplate(), '[]')
const get = async (cache: ResponseCache, key: string) => cache.get(key)

test('a last page is true for one revision of the store, other responses for all of them', async () => {
  const { store, cache } = cacheOf()
  cache.set('last', page, { epoch: 1, revision: 1 })
  cache.set('full', page, { epoch: 1, revision: FOREVER })
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([page, page])
  store.revised = 2
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([undefined, page])
  expect(cache).toMatchObject({ hits: 3, misses: 1 })
})

test('nothing is kept of another epoch of the store, not even what was read before it changed', async () => {
  const { store, cache } = cacheOf()
  cache.set('full', page, { epoch: 1, revision: FOREVER })
  store.at = 2
  expect(await get(cache, 'full')).toBeUndefined()
  cache.set('late', page, { epoch: 1, revision: FOREVER })
  expect(await get(cache, 'late')).toBeUndefined()
})

test('a response that the store was asked about is not given when its epoch changed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<bigint>()
  const store = { at: 1 }
  const cache = new ResponseCache({ epoch: () => store.at, revision: () => promise })
  cache.set('last', page, { epoch: 1, revision: 7n })
  const [same, other] = [get(cache, 'last'), get(cache, 'last').then(async () => get(cache, 'last'))]
  resolve(7n)
  expect(await same).toBe(page)
  store.at = 2
  expect(await other).toBeUndefined()
})

test('the oldest responses go when the cache is full, unless they are in use', async () => {
  const { cache } = cacheOf()
  const large = representation(jsonTemplate(), 'x'.repeat(MAX_BYTES / 5))
  const keys = ['used', '1', '2', '3', '4', '5', '6']
  for (const key of keys) {
    cache.set(key, large, { epoch: 1, revision: FOREVER })
    await get(cache, 'used')
  }
  const kept = await Promise.all(keys.map(key => get(cache, key)))
  expect(kept.map(known => known !== undefined)).toEqual([true, false, false, false, false, true, true])
})
