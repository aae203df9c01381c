import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { publicEndpoint, type RoutedRequest } from '../http/endpoint.ts'
import { draftOf } from '../http/response.ts'
import { sealCursor } from './cursor.ts'
import { Routes } from './routes.ts'
import { pathOf, queryOf, readListQuery } from './url.ts'

test.each([
  ['http://x/v1/%70ets?a=%70', '/v1/pets'],
  ['/v1/%50%2D%2e%5f%7E%30', '/v1/P-._~0'],
  ['http://x/v1/pets%2F1', '/v1/pets%2F1'],
  ['http://x/v1/%2570ets', '/v1/%2570ets'],
  ['http://x/%zz%', '/%zz%'],
  ['http://x/v1/pets#y%00', '/v1/pets#y%00'],
])('the path of %s is %s', (url, path) => expect(pathOf(url)).toBe(path))

test('the beginning of a long path is read, whatever follows', () => {
  expect(pathOf(`http://x/v1/${'/'.repeat(20_000)}%41`)).toBe('/v1/'.padEnd(512, '/'))
  expect(pathOf(`/%76%31/${'a'.repeat(20_000)}?b`)).toMatch(/^\/v1\/a{504}$/)
})

test('a route is found by what its path means', () => {
  const respond = () => draftOf(200, {}, null)
  const keyed = (route: `GET /${string}`) => ({ ...publicEndpoint(route, respond), needsKey: true })
  const routes = new Routes([
    keyed('GET /v1/pets'),
    keyed('GET /v1/pets/:petId'),
    publicEndpoint('GET /livez', respond),
  ])
  const found = (path: string) => {
    const request: RoutedRequest = new Request(`http://x${path}`)
    const route = routes.find(request)
    return [route.path, route.needsKey, request.params]
  }
  expect(found('/v1/%70ets')).toEqual(['/v1/pets', true, {}])
  expect(found('/%76%31/pets/%31')).toEqual(['/v1/pets/:petId', true, { petId: '1' }])
  expect(found('/%6Civez')).toEqual(['/livez', false, {}])
  expect(found('/v1/%70ets/')).toEqual(['unknown', true, undefined])
  // Too long to be an identifier, and still a question about an animal.
  const long = '%41'.repeat(400)
  const params = { petId: expect.stringContaining('AAAA') }
  expect(found(`/v1/%70ets/${long}`)).toEqual(['/v1/pets/:petId', true, params])
  expect(found(`/${long}`)).toEqual(['unknown', false, undefined])
  for (const path of ['/%76%31', '/v1#x', '/v1/']) expect(found(path)).toEqual(['unknown', true, undefined])
  expect(found('/v10')).toEqual(['unknown', false, undefined])
})

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
