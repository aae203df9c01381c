import { beforeAll, expect, test } from 'bun:test'
import type { Answer } from '../support/http.ts'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('the deprecation of getPet', service => {
  beforeAll(async () => {
    for (let n = 0; n < 2; n++) await service().post(petJson({}))
  })

  const ofGetPet: [string, () => Promise<Answer>, number][] = [
    ['an animal', () => service().fetch('/v1/pets/1'), 200],
    ['HEAD', () => service().fetch('/v1/pets/1', { method: 'HEAD' }), 200],
    ['not modified', () => service().fetch('/v1/pets/1', { headers: { 'If-None-Match': '*' } }), 304],
    ['no such animal', () => service().fetch('/v1/pets/999'), 404],
    ['no such identifier', () => service().fetch('/v1/pets/abc'), 404],
    ['no key', () => service().fetch('/v1/pets/1', { key: null }), 401],
    ['an invalid key', () => service().fetch('/v1/pets/1', { key: 'nonsense' }), 401],
  ]
  test.each(ofGetPet)('its answer with %s says so', async (_what, send, status) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('deprecation')).toBe('@1794614400')
    expect(answer.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    const documentation = answer.link('deprecation')
    expect(documentation).toBe('/docs#deprecation')
    expect((await service().fetch(documentation ?? '', { key: null })).status).toBe(200)
  })

  const ofOthers: [string, () => Promise<Answer>][] = [
    ['a list', () => service().fetch('/v1/pets')],
    ['a page with followers', () => service().fetch('/v1/pets?limit=1')],
    ['an invalid query', () => service().fetch('/v1/pets?limit=0')],
    ['an animal added', () => service().post(petJson({}))],
    ['an invalid body', () => service().post('{}')],
    ['a method that is not served', () => service().fetch('/v1/pets/1', { method: 'DELETE' })],
    ['an unknown path', () => service().fetch('/v1/pets/1/photos')],
    ['health', () => service().fetch('/livez')],
    ['the description', () => service().fetch('/openapi.json')],
  ]
  test.each(ofOthers)('the answer to %s says nothing of it', async (_what, send) => {
    const { headers } = await send()
    expect(headers.get('deprecation')).toBeNull()
    expect(headers.get('sunset')).toBeNull()
    expect(headers.get('link') ?? '').not.toContain('deprecation')
  })
})
