import { beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { sharedService } from '../support/service.ts'

const SHOP = 'https://shop.example.org'
const LOCAL = 'http://localhost:3000'
const STRANGERS = `https://evil.example https://shop.example.org.evil.example https://shop.example.org:444
  http://shop.example.org https://SHOP.example.org null *`.split(/\s+/)
const EXPOSED =
  'X-Request-Id, RateLimit, RateLimit-Policy, ETag, Link, Location, Idempotent-Replayed, Deprecation, Sunset, Retry-After, WWW-Authenticate'

const service = sharedService({ variables: { PETSTORE_CORS_ORIGINS: `${SHOP}, ${LOCAL}` } })
const closed = sharedService()
beforeAll(() => service().addAnimals(1))

const preflight = (origin: string, { url } = service(), target = '/v1/pets') => {
  const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
  return fetch(url + target, { method: 'OPTIONS', headers: { Origin: origin, ...asked } })
}
const sharing = (headers: Headers): string[] => [...headers.keys()].filter(name => /^access-con/.test(name))

test.each([SHOP, LOCAL])('a page of %s, a named origin, may ask, send and read', async origin => {
  const asked = await preflight(origin)
  expect(asked.status).toBe(204)
  expect(asked.headers.has('access-control-expose-headers')).toBe(false)
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-max-age': '7200',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, traceparent, X-Request-Id',
  })
  for (const answer of [
    await service().fetch('/v1/pets', { headers: { Origin: origin } }),
    await service().post(petJson({}), { Origin: origin }),
    await service().post('{', { Origin: origin }),
    await service().fetch('/v1/pets', { headers: { Origin: origin }, key: null }),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED)
    expect(answer.headers.get('vary')).toBe('Origin')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  }
  const page = await service().fetch('/openapi.json', { headers: { Origin: origin }, key: null })
  expect(page.headers.get('vary')).toBe('Accept-Encoding, Origin')
})

test.each(STRANGERS)('a page of %s, another origin, gets nothing', async origin => {
  const asked = await preflight(origin)
  expect(asked.status).toBe(401)
  const answers = [asked, await service().fetch('/v1/pets', { headers: { Origin: origin } })]
  // A cache must not give the response to a page without an origin to one with.
  for (const { headers } of [...answers, await service().fetch('/v1/pets')]) {
    expect(sharing(headers)).toEqual([])
    expect(headers.get('vary')).toBe('Origin')
  }
})

test('a preflight learns nothing about a path: all get the same answer', async () => {
  const answers = new Set<string>()
  for (const target of ['/v1/pets', '/v1/pets/1', '/v1/nothing', '/v1', '/openapi.json', '/nothing']) {
    const { status, headers } = await preflight(SHOP, service(), target)
    const fields = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
    answers.add(JSON.stringify([status, ...fields]))
  }
  expect(answers.size).toBe(1)
})

test('a request that is no preflight still needs a key, and is answered as any other', async () => {
  const options = { method: 'OPTIONS', headers: { Origin: SHOP } }
  expect(await service().fetch('/v1/pets', { ...options, key: null })).toHaveStatus(401)
  expect((await service().fetch('/v1/pets', options)).failure).toBe('405 method_not_allowed')
  const headers = { Origin: SHOP, 'Access-Control-Request-Method': 'POST' }
  expect((await service().fetch('/v1/pets', { headers })).pets).not.toBeEmpty()
})

test('without named origins and a rate limit no response speaks of them', async () => {
  const asked = await preflight(SHOP, closed())
  expect(asked.status).toBe(401)
  for (const { headers } of [asked, await closed().fetch('/v1/pets', { headers: { Origin: SHOP } })]) {
    expect(sharing(headers)).toEqual([])
    expect([headers.has('vary'), headers.has('ratelimit')]).toEqual([false, false])
  }
})
