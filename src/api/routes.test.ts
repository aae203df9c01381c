import { expect, test } from 'bun:test'
import { publicEndpoint, type RoutedRequest } from '../http/endpoint.ts'
import { draftOf } from '../http/response.ts'
import { pathOf, Routes } from './routes.ts'

test('letters, digits and -._~ are the same with an escape, and no other character is', () => {
  for (let code = 0; code < 256; code++) {
    const [character, hex] = [String.fromCharCode(code), code.toString(16).padStart(2, '0')]
    for (const escaped of [`%${hex}`, `%${hex.toUpperCase()}`])
      expect(pathOf(`/${escaped}`)).toBe(`/${/[\w.~-]/.test(character) ? character : escaped}`)
  }
})

test.each([
  ['http://x/v1/%70ets?a=%70', '/v1/pets'],
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
  const keyed = (path: string) => ({ ...publicEndpoint(path, respond), needsKey: true })
  const routes = new Routes([keyed('/v1/pets'), keyed('/v1/pets/:petId'), publicEndpoint('/livez', respond)])
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
