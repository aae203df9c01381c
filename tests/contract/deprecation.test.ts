import { beforeAll, expect, test } from 'bun:test'
import { onEveryEngine, type RequestOptions } from '../support/service.ts'

onEveryEngine('the deprecation of getPet', service => {
  beforeAll(() => service().addAnimals(2))

  const ofGetPet: [string, number, RequestOptions?][] = [
    ['/v1/pets/1', 200],
    ['/v1/pets/1', 200, { method: 'HEAD' }],
    ['/v1/pets/1', 304, { headers: { 'If-None-Match': '*' } }],
    ['/v1/pets/abc', 404],
    ['/v1/pets/1', 401, { key: null }],
    ['/v1/pets/1', 401, { key: 'nonsense' }],
  ]
  // Every test of another operation checks that it is not in the response.
  test.each(ofGetPet)('is in the response to %s with status %d', async (target, status, options = {}) => {
    const answer = await service().fetch(target, options)
    expect(answer).toHaveStatus(status)
    expect(answer.headers.get('deprecation')).toBe('@1794614400')
    expect(answer.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(answer.link('deprecation')).toBe('/docs#deprecation')
  })
})
