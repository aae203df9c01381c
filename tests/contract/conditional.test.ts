import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson, rawRequest } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

const VARYING = new Set(['date', 'x-request-id'])
const stable = (headers: Headers) => [...headers].filter(([name]) => !VARYING.has(name)).toSorted()

onEveryEngine('conditional reads', service => {
  beforeAll(async () => {
    for (let n = 0; n < 5; n++) await service().post(petJson({ name: `animal ${n}` }))
  })

  describe.each(['/v1/pets?limit=2', '/v1/pets', '/v1/pets?status=sold', '/v1/pets/1'])('of %s', target => {
    test('a 200 carries a strong ETag and asks caches to check back', async () => {
      const { headers } = await service().fetch(target)
      expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
      expect(headers.get('cache-control')).toBe('private, no-cache')
    })

    test('the ETag sent back is answered with 304, without a body, with the same headers', async () => {
      const full = await service().fetch(target)
      const etag = full.headers.get('etag') ?? ''
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag} , "b"`, '*'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await service().fetch(target, { method, headers: { 'If-None-Match': value } })
          expect(answer.status).toBe(304)
          expect(answer.text).toBe('')
          for (const name of ['etag', 'cache-control', 'link', 'deprecation', 'sunset'])
            expect(answer.headers.get(name)).toBe(full.headers.get(name))
        }
    })

    test('another ETag is answered in full', async () => {
      for (const value of ['"other"', 'W/"other"', '""', 'nonsense'])
        expect((await service().fetch(target, { headers: { 'If-None-Match': value } })).status).toBe(200)
    })

    test('If-Match that names the ETag is answered in full, and one that does not with 412', async () => {
      const etag = (await service().fetch(target)).headers.get('etag') ?? ''
      const answer = (headers: Record<string, string>) => service().fetch(target, { headers })
      for (const value of [etag, `"other", ${etag}`, '*'])
        expect((await answer({ 'If-Match': value })).status).toBe(200)
      for (const value of ['"other"', `W/${etag}`, ''])
        expect((await answer({ 'If-Match': value, 'If-None-Match': etag })).failure).toBe(
          '412 precondition_failed',
        )
      const since = { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
      expect((await answer(since)).status).toBe(200)
    })

    test('HEAD has the headers of GET, Content-Length among them, and no body', async () => {
      const get = await rawRequest(service().url, [`GET ${target} HTTP/1.1`, 'Host: x'])
      const head = await rawRequest(service().url, [`HEAD ${target} HTTP/1.1`, 'Host: x'])
      expect(head.status).toBe(200)
      expect(stable(head.headers)).toEqual(stable(get.headers))
      expect(head.text).toBe('')
    })

    test('authentication comes before the condition', async () => {
      const answer = await service().fetch(target, { key: null, headers: { 'If-None-Match': '*' } })
      expect(answer.failure).toBe('401 missing_api_key')
    })
  })

  test('a list that gains an animal gets another ETag, also where only the next link is new', async () => {
    const [whole, full] = [await service().fetch('/v1/pets'), await service().fetch('/v1/pets?limit=5')]
    await service().post(petJson({ name: 'one more' }))
    const [wholeNow, fullNow] = [await service().fetch('/v1/pets'), await service().fetch('/v1/pets?limit=5')]
    expect(wholeNow.headers.get('etag')).not.toBe(whole.headers.get('etag'))
    expect(fullNow.text).toBe(full.text)
    expect(fullNow.headers.get('etag')).not.toBe(full.headers.get('etag'))
  })

  test('errors and answers to POST carry no ETag', async () => {
    expect((await service().fetch('/v1/pets/999')).headers.get('etag')).toBeNull()
    expect((await service().post(petJson({}), { 'If-None-Match': '*' })).headers.get('etag')).toBeNull()
    expect((await service().fetch('/v1/pets/999', { headers: { 'If-None-Match': '*' } })).status).toBe(404)
  })
})
