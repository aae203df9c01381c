import { beforeAll, expect, spyOn, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { API_KEY, petJson, SlowRequest } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'
import { addKey, openStore } from '../support/store.ts'

const TARGETS = '/v1/pets /v1/pets?limit=0 /v1/pets/1 /v1/pets/999 /v1/pets/ /v1/orders /v1'.split(' ')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

onEveryEngine('authentication', service => {
  let keys: Record<string, string>
  beforeAll(async () => {
    const { databaseUrl } = service().options
    await service().post(petJson({}))
    const inForce = await addKey(databaseUrl, 'in force')
    const gone = await addKey(databaseUrl, 'gone', undefined, new Date())
    const expired = await addKey(databaseUrl, 'expired', new Date())
    const elsewhere = newKey('production', 'elsewhere').key
    const staging = newKey('staging', 'other').key
    const mistyped = inForce.slice(0, -1) + (inForce.endsWith('A') ? 'B' : 'A')
    // As the runtime joins two lines.
    const doubled = `${inForce}, Bearer ${inForce}`
    const short = API_KEY.slice(0, -1)
    keys = { mistyped, doubled, short, elsewhere, staging, gone, expired }
    expect(await service().fetch('/v1/pets', { key: inForce })).toHaveStatus(200)
  })

  test.each([
    ['mistyped', /typing mistake/],
    ['doubled', /Authorization header must be sent once/],
    ['short', /not a well-formed/],
    ['elsewhere', /unknown/],
    ['staging', /is for staging; this is the production service/],
    ['gone', /revoked/],
    ['expired', /expired/],
  ])('a wrong key (%s) is a 401 with the reason everywhere, and adds nothing', async (kind, message) => {
    const before = (await service().fetch('/v1/pets')).pets
    const key = keys[kind] ?? ''
    const added = { body: petJson({}), headers: { 'Content-Type': 'application/json' } }
    for (const target of TARGETS)
      for (const method of METHODS) {
        const answer = await service().fetch(target, { method, key, ...(method === 'POST' && added) })
        expect([answer.status, answer.headers.get('allow')]).toEqual([401, null])
        expect(answer.headers.get('www-authenticate')).toMatch(
          /^Bearer realm="petstore", error="invalid_token", error_description="[^"\\]+"$/,
        )
        if (method === 'HEAD') continue
        expect(answer.error.code).toBe('invalid_api_key')
        expect(answer.error.message).toMatch(message)
      }
    expect((await service().fetch('/v1/pets')).pets).toEqual(before)
  })

  const values = ['', 'Bearer', `Basic ${btoa(`user:${API_KEY}`)}`, API_KEY, `Bearer${API_KEY}`]
  const fields = [...values.map(value => `Authorization: ${value}`), `X-API-Key: ${API_KEY}`, 'Accept: */*']
  // Each of these would be refused, or make a difference, with a key.
  const odd = { 'If-None-Match': '*', 'Idempotency-Key': '', 'Content-Type': 'text/plain' }
  const tooLarge = { body: 'x'.repeat(100_000) }
  test.each(fields)('%s is no key, on every route and method, whatever else is sent', async field => {
    const [name = '', value = ''] = field.split(': ')
    const { text } = await service().fetch('/v1/pets', { key: null })
    for (const target of [...TARGETS, `/v1/pets?access_token=${API_KEY}`])
      for (const method of METHODS) {
        const options = { method, key: null, headers: { ...odd, [name]: value } }
        const answer = await service().fetch(target, { ...options, ...(method === 'POST' && tooLarge) })
        expect(answer).toHaveStatus(401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore"')
        if (method !== 'HEAD') expect([answer.error.code, answer.text]).toEqual(['missing_api_key', text])
      }
  })

  test('a key that is revoked while the body comes in adds no animal', async () => {
    await using store = await openStore(service().options.databaseUrl, { create: false })
    const { key, record } = newKey('production', 'revoked in between')
    await store.keys.add(record)
    const slow = await SlowRequest.begin(service(), 'late', key)
    await store.keys.revoke(record.id, new Date())
    // Until a second has passed, a body is not slow.
    const now = performance.now.bind(performance)
    using _later = spyOn(performance, 'now').mockImplementation(() => now() + 1000)
    expect((await slow.finish()).failure).toBe('401 invalid_api_key')
    expect((await service().fetch('/v1/pets?limit=100')).pets.map(({ name }) => name)).not.toContain('late')
  })

  test.each([`bearer ${API_KEY}`, `BEARER   ${API_KEY}`])('%p is read like any other', async value => {
    const answer = await service().fetch('/v1/pets', { key: null, headers: { Authorization: value } })
    expect(answer).toHaveStatus(200)
  })
})
