import { expect, test } from 'bun:test'
import { atOnce } from '../support/process.ts'
import { API_KEY, onOneEngine, type RequestOptions } from '../support/service.ts'

const OURS = /^[0-9a-f-]{13}-[0-9a-z]+$/

onOneEngine('request ids', service => {
  const idOf = async (sent?: string, target = '/v1/pets', options: RequestOptions = {}) => {
    const headers = { ...options.headers, ...(sent !== undefined && { 'X-Request-Id': sent }) }
    return (await service().fetch(target, { ...options, headers })).headers.get('x-request-id')
  }

  test.each(['a', '42', 'A-b_c.9', 'x'.repeat(128)])('a sane one is kept: %s', async sent => {
    const targets = '/v1/pets /v1/pets?limit=0 /v1/pets/999 /nothing /readyz /openapi.json'
    for (const target of targets.split(' '))
      expect([target, await idOf(sent, target)]).toEqual([target, sent])
    const methods = ['HEAD', 'POST', 'DELETE'].map(method => ({ method }))
    for (const options of [{ headers: { 'If-None-Match': '*' } }, ...methods, { key: null }])
      expect([options, await idOf(sent, '/v1/pets', options)]).toEqual([options, sent])
  })

  const other = ['', ' ', 'x'.repeat(129), 'a b', 'a,b', 'ä', '"a"', '{"a":1}', 'a/b', '<b>', '%0a', 'a;b']
  const key = 'pets_live_0123456789abcdefghijklmnopqrstuvw'
  const keys = [API_KEY, `x-${API_KEY}.y`, key, `${key}.1`, `a.${key.replace('live', 'test')}`]
  test.each([...other, ...keys])('any other, or one that holds an API key, is replaced: %p', async sent => {
    for (const target of ['/v1/pets', '/livez', '/nothing', '/v1/pets/1'])
      expect(await idOf(sent, target)).toMatch(OURS)
  })

  test('each request gets its own', async () => {
    expect(new Set(await atOnce(50, () => idOf())).size).toBe(50)
  })
})
