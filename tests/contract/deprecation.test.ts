import { beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { onEveryEngine, type RequestOptions } from '../support/service.ts'

onEveryEngine('the deprecation of getPet', service => {
  beforeAll(() => service().addAnimals(2))

  const ofGetPet: [string, number, RequestOptions?][] = [
    ['/v1/pets/1', 200],
    ['/v1/pets/1', 200, { method: 'HEAD' }],
    ['/v1/pets/1', 304, { headers: { 'If-None-Match': '*' } }],
    ['/v1/pets/999', 404],
    ['/v1/pets/abc', 404],
    ['/v1/pets/1', 401, { key: null }],
    ['/v1/pets/1', 401, { key: 'nonsense' }],
  ]
  test.each(ofGetPet)('is in the response to %s with status %d', async (target, status, options = {}) => {
    const answer = await service().fetch(target, options)
    expect(answer).toHaveStatus(status)
    expect(answer.headers.get('deprecation')).toBe('@1794614400')
    expect(answer.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(answer.link('deprecation')).toBe('/docs#deprecation')
  })

  const json = { 'Content-Type': 'application/json' }
  const ofOthers: [string, RequestOptions?][] = [
    ['/v1/pets'],
    ['/v1/pets?limit=1'],
    ['/v1/pets?limit=0'],
    ['/v1/pets', { method: 'POST', body: petJson({}), headers: json }],
    ['/v1/pets', { method: 'POST', body: '{}', headers: json }],
    ['/v1/pets/1', { method: 'DELETE' }],
    ['/v1/pets/1/photos'],
    ['/livez'],
    ['/openapi.json'],
  ]
  test.each(ofOthers)('is not in the response to %s %j', async (target, options = {}) => {
    const { headers } = await service().fetch(target, options)
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null])
    expect(headers.get('link') ?? '').not.toContain('deprecation')
  })
})
