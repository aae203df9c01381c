import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EXPOSED_HEADERS } from '../../src/contract/headers.ts'
import { petJson } from '../support/http/exact.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { type Service, startService } from '../support/service/service.ts'

const SHOP = 'https://shop.example.org'
const LOCAL = 'http://localhost:3000'
const STRANGERS = [
  'https://evil.example',
  'https://shop.example.org.evil.example',
  'https://shop.example.org:444',
  'http://shop.example.org',
  'https://SHOP.example.org',
  'null',
  '*',
]

describe('CORS by named origins', () => {
  let service: Service
  beforeAll(async () => {
    const variables = { PETSTORE_CORS_ORIGINS: `${SHOP}, ${LOCAL}` }
    service = await startService({ databaseUrl: await freshSqliteUrl(), variables })
    await service.post(petJson({}))
  })
  afterAll(async () => expect(await service.stop()).toBe(0))

  const preflight = (origin: string, target = '/v1/pets', method = 'POST') =>
    fetch(service.url + target, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })

  test.each([SHOP, LOCAL])('lets a page of %s ask, send and read', async origin => {
    const asked = await preflight(origin)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST')
    expect(asked.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id',
    )
    expect(asked.headers.get('x-request-id')).not.toBeNull()
    for (const answer of [
      await service.fetch('/v1/pets', { headers: { Origin: origin } }),
      await service.post(petJson({}), { Origin: origin }),
      await service.post('{', { Origin: origin }),
      await service.fetch('/v1/pets', { headers: { Origin: origin }, key: null }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '))
      expect(answer.headers.get('vary')).toBe('Origin')
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  test.each(STRANGERS)('gives a page of %s nothing', async origin => {
    const asked = await preflight(origin)
    expect(asked.status).toBe(401)
    const answer = await service.fetch('/v1/pets', { headers: { Origin: origin } })
    for (const { headers } of [asked, answer]) {
      expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
      expect(headers.get('vary')).toBe('Origin')
    }
  })

  test('an answer that is kept and sent again never carries the origin of an earlier caller', async () => {
    for (const target of ['/v1/pets', '/v1/pets/1', '/openapi.json'])
      for (const [origin, expected] of [
        [SHOP, SHOP],
        ['', null],
        [LOCAL, LOCAL],
        ['https://evil.example', null],
      ] as const) {
        const answer = await service.fetch(target, { headers: origin ? { Origin: origin } : {} })
        expect(answer.headers.get('access-control-allow-origin')).toBe(expected)
        expect(answer.headers.get('vary')).toEndWith('Origin')
      }
  })

  test('a preflight learns nothing about a path: all get the same answer', async () => {
    const answers = await Promise.all(
      ['/v1/pets', '/v1/pets/1', '/v1/nothing', '/v1', '/openapi.json', '/nothing'].map(async target => {
        const { status, headers } = await preflight(SHOP, target, 'DELETE')
        headers.delete('x-request-id')
        headers.delete('date')
        return JSON.stringify([status, ...headers])
      }),
    )
    expect(new Set(answers).size).toBe(1)
  })

  test('an OPTIONS that is no preflight still needs a key', async () => {
    const plain = await service.fetch('/v1/pets', { method: 'OPTIONS', headers: { Origin: SHOP }, key: null })
    expect(plain.status).toBe(401)
    const keyed = await service.fetch('/v1/pets', { method: 'OPTIONS', headers: { Origin: SHOP } })
    expect(keyed.failure).toBe('405 method_not_allowed')
  })
})

test('without named origins no answer speaks of any', async () => {
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  const asked = await service.fetch('/v1/pets', {
    method: 'OPTIONS',
    headers: { Origin: SHOP, 'Access-Control-Request-Method': 'GET' },
    key: null,
  })
  expect(asked.status).toBe(401)
  const read = await service.fetch('/v1/pets', { headers: { Origin: SHOP } })
  for (const { headers } of [asked, read])
    expect([...headers.keys()].filter(name => /^(access-control|vary)/.test(name))).toEqual([])
  await service.stop()
})
