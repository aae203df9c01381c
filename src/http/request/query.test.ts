import { expect, test } from 'bun:test'
import { ListPetsQuery } from '../../contract/operations.ts'
import { queryOf, readQuery } from './query.ts'

test.each([
  ['http://x/v1/pets', ''],
  ['http://x/v1/pets?', ''],
  ['http://x/v1/pets?a=1?b', 'a=1?b'],
  ['/v1/pets?limit=3', 'limit=3'],
])('the query of %s is "%s"', (url, query) => expect(queryOf(url)).toBe(query))

test('unknown parameters are ignored, and the limit has a default', () => {
  expect(readQuery(ListPetsQuery, 'colour=red&status=sold')).toEqual({ limit: 20, status: 'sold' })
})

test('all that is wrong is named at once', () => {
  expect(() => readQuery(ListPetsQuery, 'limit=0&limit=1&status=x&cursor=')).toThrow(
    'The query is invalid: limit must be sent once; limit must be an integer from 1 to 100; status must be one of available, pending, sold; cursor must not be empty.',
  )
})
