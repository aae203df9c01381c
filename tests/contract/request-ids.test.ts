import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { API_KEY, onEveryEngine, type RequestOptions } from '../support/service.ts'

const OURS = /^[0-9a-f-]{13}-[0-9a-z]+$/

onEveryEngine('request ids', service => {
  const idOf = async (sent?: string, target = '/v1/pets'): Promise<string | null> => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'X-Request-Id': sent }
    return (await service().fetch(target, { headers })).headers.get('x-request-id')
  }

  test.each(['a', '42', 'A-b_c.9', 'x'.repeat(128)])('a sane one is kept: %s', async sent => {
    expect(await idOf(sent)).toBe(sent)
  })

  const other = ['', ' ', 'x'.repeat(129), 'a b', 'a,b', 'ä', '"a"', '{"a":1}', 'a/b', '<b>', '%0a', 'a;b']
  const key = 'pets_live_0123456789abcdefghijklmnopqrstuvw'
  const keys = [API_KEY, `x-${API_KEY}.y`, key, `${key}.1`, `a.${key.replace('live', 'test')}`]
  test.each([...other, ...keys])('any other, or one that holds an API key, is replaced: %p', async sent => {
    for (const target of ['/v1/pets', '/livez', '/nothing', '/v1/pets/1'])
      expect(await idOf(sent, target)).toMatch(OURS)
  })

  test('each request gets its own', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => idOf()))).size).toBe(50)
  })

  const json = { 'Content-Type': 'application/json' }
  const answers: [string, number, RequestOptions?][] = [
    ['/v1/pets', 200],
    ['/v1/pets', 304, { headers: { 'If-None-Match': '*' } }],
    ['/v1/pets', 200, { method: 'HEAD' }],
    ['/v1/pets', 201, { method: 'POST', body: petJson({}), headers: json }],
    ['/v1/pets?limit=0', 400],
    ['/v1/pets', 401, { key: null }],
    ['/v1/pets/999', 404],
    ['/v1/pets', 405, { method: 'DELETE' }],
    ['/nothing', 404],
    ['/readyz', 200],
    ['/openapi.json', 200],
  ]
  test.each(answers)('%s → %d carries one', async (target, expected, options = {}) => {
    const headers = { ...options.headers, 'X-Request-Id': 'mine' }
    const answer = await service().fetch(target, { ...options, headers })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([expected, 'mine'])
  })
})
