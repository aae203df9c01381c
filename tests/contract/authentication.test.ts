import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson, RawConnection, SlowRequest } from '../support/http.ts'
import { createKey, eventually, petstore } from '../support/process.ts'
import { API_KEY, onEveryEngine } from '../support/service.ts'

const TARGETS = [
  '/v1/pets',
  '/v1/pets?limit=0',
  '/v1/pets/1',
  '/v1/pets/999',
  '/v1/pets/',
  '/v1/orders',
  '/v1',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

onEveryEngine('authentication', (service, engine) => {
  const keys = new Map<string, string>()

  beforeAll(async () => {
    const { databaseUrl } = service().options
    await service().post(petJson({}))
    const [inForce, elsewhere, staging, gone, expiring] = await Promise.all([
      createKey(databaseUrl, 'in force'),
      createKey(await engine.freshDatabaseUrl(), 'elsewhere'),
      createKey(await engine.freshDatabaseUrl(), 'other', '--env', 'staging'),
      createKey(databaseUrl, 'gone'),
      createKey(databaseUrl, 'short', '--expires', '1s'),
    ])
    await petstore(['keys', 'revoke', 'gone', '--yes'], { DATABASE_URL: databaseUrl })
    keys.set('with a typing mistake', inForce.slice(0, -1) + (inForce.endsWith('A') ? 'B' : 'A'))
    keys.set('that is no key of ours', 'hunter2')
    keys.set('cut short', API_KEY.slice(0, -1))
    keys.set('of another database', elsewhere)
    keys.set('of staging', staging)
    keys.set('that was revoked', gone)
    keys.set('that has expired', expiring)
    expect((await service().fetch('/v1/pets', { key: inForce })).status).toBe(200)
    await eventually('the key expires', async () =>
      (await service().fetch('/v1/pets', { key: expiring })).status === 401 ? true : undefined,
    )
  })

  const reasons: [string, RegExp][] = [
    ['with a typing mistake', /typing mistake/],
    ['that is no key of ours', /not a well-formed/],
    ['cut short', /not a well-formed/],
    ['of another database', /unknown/],
    ['of staging', /is for staging; this is the production service/],
    ['that was revoked', /revoked/],
    ['that has expired', /expired/],
  ]

  describe.each(reasons)('a key %s', (kind, message) => {
    test('is answered with 401 and the reason, on every route and method', async () => {
      for (const target of TARGETS)
        for (const method of METHODS) {
          const answer = await service().fetch(target, { method, key: keys.get(kind) ?? '' })
          expect(answer.status).toBe(401)
          expect(answer.headers.get('www-authenticate')).toMatch(
            /^Bearer realm="petstore", error="invalid_token", error_description="[^"\\]+"$/,
          )
          expect(answer.headers.get('allow')).toBeNull()
          if (method === 'HEAD') continue
          expect(answer.error.code).toBe('invalid_api_key')
          expect(answer.error.message).toMatch(message)
        }
    })

    test('adds nothing', async () => {
      const before = (await service().fetch('/v1/pets')).text
      expect((await service().post(petJson({}), {}, keys.get(kind) ?? '')).status).toBe(401)
      expect((await service().fetch('/v1/pets')).text).toBe(before)
    })
  })

  const missing: [string, Record<string, string>][] = [
    ['no Authorization header', {}],
    ['an empty one', { Authorization: '' }],
    ['the scheme alone', { Authorization: 'Bearer' }],
    ['another scheme', { Authorization: `Basic ${btoa(`user:${API_KEY}`)}` }],
    ['the key without a scheme', { Authorization: API_KEY }],
    ['a scheme run together with the key', { Authorization: `Bearer${API_KEY}` }],
    ['the key in another header', { 'X-API-Key': API_KEY }],
  ]
  test.each(missing)('%s counts as no credentials, on every route and method', async (_what, headers) => {
    for (const target of [...TARGETS, `/v1/pets?access_token=${API_KEY}`])
      for (const method of METHODS) {
        const answer = await service().fetch(target, { method, key: null, headers })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore"')
        if (method !== 'HEAD') expect(answer.error.code).toBe('missing_api_key')
      }
  })

  test('without a key no body, conditional header or path makes a difference to the answer', async () => {
    const plain = await service().fetch('/v1/pets', { key: null })
    for (const headers of [
      { 'If-None-Match': '*' },
      { 'Idempotency-Key': '' },
      { 'Content-Type': 'text/plain' },
    ])
      for (const body of ['', '{', 'x'.repeat(100_000)]) {
        const answer = await service().fetch('/v1/pets', { method: 'POST', key: null, headers, body })
        expect(answer.text).toBe(plain.text)
      }
    for (const target of TARGETS) expect((await service().fetch(target, { key: null })).text).toBe(plain.text)
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', 'FOO'])(
    'the method %s without a key is a 401, or ends the connection before it reaches the service',
    async method => {
      for (const target of TARGETS) {
        const connection = new RawConnection(service().url)
        connection.send(`${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
        const answer = await connection.read(method).catch(() => undefined)
        connection.end()
        expect([undefined, 400, 401]).toContain(answer?.status)
        expect(answer?.status === 401 ? answer.error.code : (answer?.text ?? '')).toBe(
          answer?.status === 401 ? 'missing_api_key' : '',
        )
      }
    },
  )

  test('a key that is revoked while the body comes in adds no animal', async () => {
    const key = await createKey(service().options.databaseUrl, 'revoked in between')
    const slow = await SlowRequest.begin(service(), 'late', key)
    await petstore(['keys', 'revoke', 'revoked in between', '--yes'], {
      DATABASE_URL: service().options.databaseUrl,
    })
    await eventually('the key is refused', async () =>
      (await service().fetch('/v1/pets', { key })).status === 401 ? true : undefined,
    )
    const answer = await slow.finish()
    expect(answer.failure).toBe('401 invalid_api_key')
    expect((await service().fetch('/v1/pets?limit=100')).text).not.toContain('late')
  })

  test('the scheme is read in any case and with any number of spaces', async () => {
    for (const value of [`bearer ${API_KEY}`, `BEARER   ${API_KEY}`])
      expect(
        (await service().fetch('/v1/pets', { key: null, headers: { Authorization: value } })).status,
      ).toBe(200)
  })
})
