import { expect, test } from 'bun:test'
import { pathOf, routed } from './path.ts'

test.each([
  ['http://x/v1/%70ets?a=%70', '/v1/pets'],
  ['/v1/%50%2D%2e%5f%7E%30', '/v1/P-._~0'],
  ['http://x/v1/pets%2F1', '/v1/pets%2F1'],
  ['http://x/v1/%2570ets', '/v1/%2570ets'],
  ['http://x/%zz%', '/%zz%'],
  ['http://x/v1/pets#y%00', '/v1/pets#y%00'],
])('the path of %s is %s', (url, path) => expect(pathOf(url)).toBe(path))

test('a route is found by what its path means', () => {
  const routes = { '/v1/pets': 'list', '/v1/pets/:petId': 'get' }
  const found = (path: string) => {
    const { handler, request } = routed(routes, new Request(`http://x${path}`)) ?? {}
    return [handler, request?.params]
  }
  expect(found('/v1/%70ets')).toEqual(['list', {}])
  expect(found('/%76%31/pets/%31')).toEqual(['get', { petId: '1' }])
  expect(found('/v1/%70ets/')).toEqual([undefined, undefined])
  // Too long to be an identifier, and still a question about an animal.
  const long = '%41'.repeat(400)
  expect(found(`/v1/%70ets/${long}`)).toEqual(['get', { petId: expect.stringContaining('AAAA') }])
  expect(found(`/${long}`)).toEqual([undefined, undefined])
  expect(found('/v1/%70ets/1/2')).toEqual([undefined, undefined])
})
