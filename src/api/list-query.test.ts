import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sealCursor } from './cursor.ts'
import { queryOf, readListQuery } from './list-query.ts'

test.each([
  ['http://x/v1/pets', ''],
  ['http://x/v1/pets?', ''],
  ['http://x/v1/pets?a=1?b', 'a=1?b'],
  ['/v1/pets?limit=3', 'limit=3'],
])('the query of %s is "%s"', (url, query) => expect(queryOf(url)).toBe(query))

const SECRET = 'a secret'
const read = (query: string) => readListQuery(query, SECRET)

test('unknown parameters are ignored, and the limit has a default', () =>
  expect(read('colour=red&status=sold')).toEqual({ limit: 20, status: 'sold', after: 0n }))

test.each(['&', 'a&', '%61&', 'limit=1&'])('a query of more than 32 parameters is refused: %j', part => {
  expect(() => read(part.repeat(32))).toThrow('The query is invalid: it has more than 32 parameters.')
  if (!part.startsWith('limit')) expect(read(`${part.repeat(31)}limit=7`).limit).toBe(7)
})

test('all that is wrong is named at once', () =>
  expect(() => read('status=x&cursor=&limit=&limit=1')).toThrow(
    'The query is invalid: limit must be sent once; limit must be an integer from 1 to 100; status must be one of available, pending, sold; cursor must not be empty.',
  ))

test('a cursor of another list is named beside what else is wrong', () => {
  const cursor = sealCursor({ after: 7n, status: 'sold' }, SECRET)
  expect(read(`status=sold&cursor=${cursor}`).after).toBe(7n)
  expect(() => read(`limit=0&cursor=${cursor}`)).toThrow(
    'The query is invalid: limit must be an integer from 1 to 100; cursor belongs to a list with status=sold.',
  )
})

test.each(['', '0', '07', '101', '1e1', '1.0', '-1', '+3', '%203', '3#x', '３'])('no limit is %j', text =>
  expect(() => read(`limit=${text}`)).toThrow('limit must be an integer from 1 to 100'),
)

test('a query means the same with every character escaped', () => {
  const odd = `limit limit= limit=07 limit=100 limit=101 limits=1 Limit=3 = ?limit=4 limit=3#x status status=sold
    status=Sold status=pending cursor cursor= cursor=a=b constructor=1`
  const limit = fc.nat(120).map(limit => `limit=${limit}`)
  const part = fc.oneof(limit, fc.constantFrom('', ...odd.split(/\s+/)), fc.stringMatching(/^[ -~]*$/))
  const query = fc.array(part, { maxLength: 4 }).map(parts => parts.join('&').replaceAll(/[%+]/g, ''))
  const escaped = (query: string): string =>
    query
      .split('&')
      .map(part => part.replace('=', '\n').replaceAll(/./g, character => `%${hex(character)}`))
      .join('&')
      .replaceAll('\n', '=')
  const hex = (character: string): string => character.charCodeAt(0).toString(16)
  const outcome = (query: string): unknown => {
    try {
      return read(query)
    } catch (error) {
      return error
    }
  }
  fc.assert(
    fc.property(query, query => expect(outcome(escaped(query))).toEqual(outcome(query))),
    { numRuns: 1000 },
  )
})
