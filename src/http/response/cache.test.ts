import { expect, test } from 'bun:test'
import { FOREVER, MAX_BYTES, RepresentationCache } from './cache.ts'
import { representation } from './conditional.ts'

function cacheOf(store = { at: 1, revised: 1 }) {
  const tally = { hits: 0, misses: 0 }
  const cache = new RepresentationCache({ history: () => store.at, revision: () => store.revised }, tally)
  return { store, tally, cache }
}
const page = representation('[]', {})
const get = async (cache: RepresentationCache, key: string) => cache.get(key, known => known)

test('a last page is true for one revision of the store, other answers for all of them', async () => {
  const { store, tally, cache } = cacheOf()
  cache.set('last', page, { history: 1, revision: 1 })
  cache.set('full', page, { history: 1, revision: FOREVER })
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([page, page])
  store.revised = 2
  expect([await get(cache, 'last'), await get(cache, 'full')]).toEqual([undefined, page])
  expect(tally).toEqual({ hits: 3, misses: 1 })
})

test('nothing is kept of another history of the store, not even what was read before it changed', async () => {
  const { store, cache } = cacheOf()
  cache.set('full', page, { history: 1, revision: FOREVER })
  store.at = 2
  expect(await get(cache, 'full')).toBeUndefined()
  cache.set('late', page, { history: 1, revision: FOREVER })
  expect(await get(cache, 'late')).toBeUndefined()
})

test('an answer that the store was asked about is not given when its history changed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<bigint>()
  const store = { at: 1 }
  const cache = new RepresentationCache(
    { history: () => store.at, revision: () => promise },
    { hits: 0, misses: 0 },
  )
  cache.set('last', page, { history: 1, revision: 7n })
  const [same, other] = [get(cache, 'last'), get(cache, 'last').then(async () => get(cache, 'last'))]
  resolve(7n)
  expect(await same).toBe(page)
  store.at = 2
  expect(await other).toBeUndefined()
})

test('the oldest answers go when the cache is full', async () => {
  const { cache } = cacheOf()
  const large = representation('x'.repeat(MAX_BYTES / 4), {})
  for (const key of ['1', '2', '3', '4']) cache.set(key, large, { history: 1, revision: FOREVER })
  const kept = await Promise.all(['1', '2', '3', '4'].map(key => get(cache, key)))
  expect(kept.map(known => known !== undefined)).toEqual([false, true, true, true])
})
