import { beforeAll, expect, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { API_KEY, petJson, SlowRequest } from '../support/http.ts'
import { eventually, petstore } from '../support/process.ts'
import { onEveryEngine } from '../support/service.ts'
import { addKey, openStore } from '../support/store.ts'

const TARGETS = '/v1/pets /v1/pets?limit=0 /v1/pets/1 /v1/pets/999 /v1/pets/ /v1/orders /v1'.split(' ')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

onEveryEngine('authentication', service => {
  let keys: Record<string, string>
  const isRefused = async (key: string): Promise<true | undefined> =>
    (await service().fetch('/v1/pets', { key })).status === 401 || undefined

  beforeAll(async () => {
    const { databaseUrl } = service().options
    await service().post(petJson({}))
    const inForce = await addKey(databaseUrl, 'in force')
    const gone = await addKey(databaseUrl, 'gone')
    const expired = await addKey(databaseUrl, 'expired', new Date())
    const elsewhere = newKey('production', 'elsewhere').key
    const staging = newKey('staging', 'other').key
    const mistyped = inForce.slice(0, -1) + (inForce.endsWith('A') ? 'B' : 'A')
    // As the runtime joins two lines.
    const doubled = `${inForce}, Bearer ${inForce}`
    const odd = 'hunter2'
    keys = { mistyped, doubled, odd, short: API_KEY.slice(0, -1), elsewhere, staging, gone, expired }
    await petstore(['keys', 'revoke', 'gone', '--yes'], { DATABASE_URL: databaseUrl })
    expect(await service().fetch('/v1/pets', { key: inForce })).toHaveStatus(200)
  })

  test.each([
    ['mistyped', /typing mistake/],
    ['doubled', /Authorization header must be sent once/],
    ['odd', /not a well-formed/],
    ['short', /not a well-formed/],
    ['elsewhere', /unknown/],
    ['staging', /is for staging; this is the production service/],
    ['gone', /revoked/],
    ['expired', /expired/],
  ])(
    'a wrong key (%s) is answered with 401 and the reason, on every route and method, and adds nothing',
    async (kind, message) => {
      const before = (await service().fetch('/v1/pets')).text
      const key = keys[kind] ?? ''
      const answers = [await service().post(petJson({}), {}, key)]
      for (const target of TARGETS)
        for (const method of METHODS) answers.push(await service().fetch(target, { method, key }))
      for (const { status, headers, text } of answers) {
        expect([status, headers.get('allow')]).toEqual([401, null])
        expect(headers.get('www-authenticate')).toMatch(
          /^Bearer realm="petstore", error="invalid_token", error_description="[^"\\]+"$/,
        )
        if (text !== '')
          expect(JSON.parse(text)).toMatchObject({
            code: 'invalid_api_key',
            message: expect.stringMatching(message),
          })
      }
      expect((await service().fetch('/v1/pets')).text).toBe(before)
    },
  )

  const missing: Record<string, string>[] = [
    {},
    { Authorization: '' },
    { Authorization: 'Bearer' },
    { Authorization: `Basic ${btoa(`user:${API_KEY}`)}` },
    { Authorization: API_KEY },
    { Authorization: `Bearer${API_KEY}` },
    { 'X-API-Key': API_KEY },
  ]
  test.each(missing)('%j are no credentials, on every route and method', async headers => {
    for (const target of [...TARGETS, `/v1/pets?access_token=${API_KEY}`])
      for (const method of METHODS) {
        const answer = await service().fetch(target, { method, key: null, headers })
        expect(answer).toHaveStatus(401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore"')
        if (method !== 'HEAD') expect(answer.error.code).toBe('missing_api_key')
      }
  })

  test('without a key no body, conditional header or path makes a difference to the response', async () => {
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

  test('a key that is revoked while the body comes in adds no animal, and is refused by then or soon', async () => {
    await using store = await openStore(service().options.databaseUrl, { create: false })
    const { key, record } = newKey('production', 'revoked in between')
    await store.keys.add(record)
    const slow = await SlowRequest.begin(service(), 'late', key)
    await store.keys.revoke(record.id, new Date())
    // Until then, a body is not slow.
    await Bun.sleep(1000)
    expect((await slow.finish()).failure).toBe('401 invalid_api_key')
    await eventually('the key is refused', () => isRefused(key))
    expect((await service().fetch('/v1/pets?limit=100')).text).not.toContain('late')
  })

  test('a second revocation does not change the date of the first', async () => {
    await using store = await openStore(service().options.databaseUrl, { create: false })
    const { record } = newKey('production', 'twice')
    await store.keys.add(record)
    const dates = [new Date(1000), new Date(2000)]
    const revoked: boolean[] = []
    for (const date of dates) revoked.push(await store.keys.revoke(record.id, date))
    const [found] = (await store.keys.list()).filter(({ id }) => id === record.id)
    expect([revoked, found?.revokedAt]).toEqual([[true, false], dates[0]])
  })

  test.each([`bearer ${API_KEY}`, `BEARER   ${API_KEY}`])('%p is read like any other', async value => {
    const answer = await service().fetch('/v1/pets', { key: null, headers: { Authorization: value } })
    expect(answer).toHaveStatus(200)
  })
})
