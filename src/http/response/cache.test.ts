import { expect, test } from 'bun:test'
import { FOREVER, MAX_BYTES, RepresentationCache } from './cache.ts'
import { representation } from './conditional.ts'

function cacheOf(store = { at: 1, revised: 1 }) {
  const tally = { hits: 0, misses: 0 }
  const cache = new RepresentationCache({ history: () => store.at, revision: () => store.revised }, tally)
  return { store, tally, cache }
}
const page = representation('[]', {})

test('a last page is true for one revision of the store, other answers for all of them', () => {
  const { store, tally, cache } = cacheOf()
  cache.set('last', page, { history: 1, revision: 1 })
  cache.set('full', page, { history: 1, revision: FOREVER })
  expect([cache.get('last'), cache.get('full')]).toEqual([page, page])
  store.revised = 2
  expect([cache.get('last'), cache.get('full')]).toEqual([undefined, page])
  expect(tally).toEqual({ hits: 3, misses: 1 })
})

test('nothing is kept of another history of the store, not even what was read before it changed', () => {
  const { store, cache } = cacheOf()
  cache.set('full', page, { history: 1, revision: FOREVER })
  store.at = 2
  expect(cache.get('full')).toBeUndefined()
  cache.set('late', page, { history: 1, revision: FOREVER })
  expect(cache.get('late')).toBeUndefined()
})

test('nothing is kept where only a query could tell the revision', () => {
  const { cache } = cacheOf()
  cache.set('last', page, { history: 1, revision: undefined })
  expect(cache.get('last')).toBeUndefined()
})

test('the oldest answers go when the cache is full', () => {
  const { cache } = cacheOf()
  const large = representation('x'.repeat(MAX_BYTES / 4), {})
  for (const key of ['1', '2', '3', '4']) cache.set(key, large, { history: 1, revision: FOREVER })
  expect(['1', '2', '3', '4'].map(key => cache.get(key) !== undefined)).toEqual([false, true, true, true])
})
