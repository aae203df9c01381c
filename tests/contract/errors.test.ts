import { beforeAll, expect, test } from 'bun:test'
import type { Answer } from '../support/http.ts'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('errors', service => {
  beforeAll(async () => {
    await service().post(petJson({}), { 'Idempotency-Key': 'taken' })
  })

  const table: [string, () => Promise<Answer>][] = [
    ['400 malformed_json', () => service().post('{')],
    ['400 invalid_body', () => service().post('{}')],
    ['400 invalid_query', () => service().fetch('/v1/pets?limit=0')],
    ['400 invalid_idempotency_key', () => service().post(petJson({}), { 'Idempotency-Key': '' })],
    ['401 missing_api_key', () => service().fetch('/v1/pets', { key: null })],
    ['401 invalid_api_key', () => service().fetch('/v1/pets', { key: 'nonsense' })],
    ['404 pet_not_found', () => service().fetch('/v1/pets/999')],
    ['404 route_not_found', () => service().fetch('/v1/orders')],
    ['404 route_not_found', () => service().fetch('/nothing', { key: null })],
    ['405 method_not_allowed', () => service().fetch('/v1/pets', { method: 'DELETE' })],
    ['413 body_too_large', () => service().post(' '.repeat(65_537))],
    ['415 unsupported_media_type', () => service().post('{}', { 'Content-Type': 'text/plain' })],
    [
      '422 idempotency_key_reused',
      () => service().post(petJson({ name: 'Max' }), { 'Idempotency-Key': 'taken' }),
    ],
  ]
  test.each(table)('%s has the Error body and no other field', async (failure, send) => {
    const answer = await send()
    expect(answer.failure).toBe(failure)
    expect(Object.keys(answer.error)).toEqual(['code', 'message', 'status'])
    expect(answer.error.status).toBe(answer.status)
    expect(answer.error.message).toMatch(/^[A-Z].*\.$/)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('no message tells anything internal', async () => {
    for (const [, send] of table)
      expect((await send()).text).not.toMatch(/sqlite|postgres|\.ts\b|\/src|bun\b/i)
  })

  test('text of the caller is not repeated where it could be markup', async () => {
    const { text } = await service().fetch('/v1/pets?status=<script>&limit="><img>')
    expect(text).not.toMatch(/<(script|img)>/)
  })
})
