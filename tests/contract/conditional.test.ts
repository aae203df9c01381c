import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('conditional reads', service => {
  beforeAll(() => service().addAnimals(5))

  describe.each(['/v1/pets?limit=2', '/v1/pets', '/v1/pets?status=sold', '/v1/pets/1'])('of %s', target => {
    const answer = (headers: Record<string, string>, method = 'GET') =>
      service().fetch(target, { method, headers })
    const etagOf = async (): Promise<string> => (await answer({})).headers.get('etag') ?? ''

    test('a strong ETag that is sent back is answered with 304, without a body, with the same headers', async () => {
      const full = await answer({})
      expect(full.headers.get('cache-control')).toBe('private, no-cache')
      const etag = await etagOf()
      expect(etag).toMatch(/^"[^"]+"$/)
      for (const value of [etag, `W/${etag}`, `"a",W/${etag} , "b"`, `"a,b",${etag}`, '*'])
        for (const method of ['GET', 'HEAD']) {
          const { status, text, headers } = await answer({ 'If-None-Match': value }, method)
          expect([status, text]).toEqual([304, ''])
          for (const name of ['etag', 'cache-control', 'link', 'deprecation', 'sunset'])
            expect(headers.get(name)).toBe(full.headers.get(name))
        }
      for (const value of ['"other"', 'W/"other"', '""', 'nonsense', '"a,*,b"', `"x${etag.slice(1)}`])
        expect(await answer({ 'If-None-Match': value })).toHaveStatus(200)
    })

    test('If-Match that names the ETag is answered in full, and one that does not with 412', async () => {
      const etag = await etagOf()
      for (const value of [etag, `"other", ${etag}`, `"a,",,${etag}`, `W/${etag}, ${etag}`, '*'])
        expect(await answer({ 'If-Match': value })).toHaveStatus(200)
      for (const value of ['"other"', `W/${etag}`, '', ',', '"a,*,b"', `"x${etag.slice(1)}`]) {
        const refused = await answer({ 'If-Match': value, 'If-None-Match': etag })
        expect(refused.failure).toBe('412 precondition_failed')
      }
      expect(await answer({ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toHaveStatus(200)
    })
  })

  test('a list that gains an animal gets another ETag, also where only the next link is new', async () => {
    const read = async (query: string) => {
      const { text, headers } = await service().fetch(`/v1/pets${query}`)
      return { text, etag: headers.get('etag') }
    }
    const { length } = (await service().fetch('/v1/pets?limit=100')).pets
    const [whole, full] = [await read(''), await read(`?limit=${length}`)]
    await service().post(petJson({ name: 'one more' }))
    const [wholeNow, fullNow] = [await read(''), await read(`?limit=${length}`)]
    expect([wholeNow.etag === whole.etag, fullNow.etag === full.etag]).toEqual([false, false])
    expect(fullNow.text).toBe(full.text)
  })

  test('a POST ignores preconditions, as the reference says, and its response carries no ETag', async () => {
    for (const condition of ['If-Match', 'If-None-Match', 'If-Unmodified-Since']) {
      const added = await service().post(petJson({}), { [condition]: condition === 'If-Match' ? '"x"' : '*' })
      expect([condition, added.status, added.headers.get('etag')]).toEqual([condition, 201, null])
    }
  })
})
