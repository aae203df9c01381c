import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { API_KEY, onEveryEngine, type RequestOptions } from '../support/service.ts'

const OURS = /^[0-9a-f-]{13}-[0-9a-z]+$/

onEveryEngine('request ids', service => {
  const idOf = async (sent?: string): Promise<string | null> => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'X-Request-Id': sent }
    return (await service().fetch('/v1/pets', { headers })).headers.get('x-request-id')
  }

  test.each(['a', '42', 'A-b_c.9', 'x'.repeat(128)])('a sane one is kept: %s', async sent => {
    expect(await idOf(sent)).toBe(sent)
  })

  test.each(['', ' ', 'x'.repeat(129), 'a b', 'a,b', 'ä', '"a"', '{"a":1}', 'a/b', '<b>', '%0a', 'a;b'])(
    'any other is replaced: %p',
    async sent => {
      expect(await idOf(sent)).toMatch(OURS)
    },
  )

  const key = 'pets_live_0123456789abcdefghijklmnopqrstuvw'
  test.each([API_KEY, `x-${API_KEY}.y`, key, `${key}.1`, `a.${key.replace('live', 'test')}`])(
    'one that is or holds an API key is replaced: %s',
    async sent => {
      expect(await idOf(sent)).toMatch(OURS)
      for (const target of ['/livez', '/nothing', '/v1/pets/1']) {
        const { headers } = await service().fetch(target, { headers: { 'X-Request-Id': sent } })
        expect(headers.get('x-request-id')).toMatch(OURS)
      }
    },
  )

  test('each request gets its own', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => idOf()))
    expect(new Set(ids).size).toBe(50)
  })

  const answers: [string, RequestOptions, number][] = [
    ['/v1/pets', {}, 200],
    ['/v1/pets', { headers: { 'If-None-Match': '*' } }, 304],
    ['/v1/pets', { method: 'HEAD' }, 200],
    ['/v1/pets', { method: 'POST', body: petJson({}), headers: { 'Content-Type': 'application/json' } }, 201],
    ['/v1/pets?limit=0', {}, 400],
    ['/v1/pets', { key: null }, 401],
    ['/v1/pets/999', {}, 404],
    ['/v1/pets', { method: 'DELETE' }, 405],
    ['/nothing', {}, 404],
    ['/livez', {}, 200],
    ['/readyz', {}, 200],
    ['/openapi.json', {}, 200],
  ]
  test.each(answers)('%s %j → %d carries one', async (target, options, status) => {
    const sent = { ...options, headers: { ...options.headers, 'X-Request-Id': 'mine' } }
    const answer = await service().fetch(target, sent)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toBe('mine')
  })
})
