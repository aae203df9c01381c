import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson, rawRequest } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('methods', service => {
  beforeAll(async () => {
    await service().post(petJson({}))
  })

  const served: [string, string, string[]][] = [
    ['/v1/pets', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']],
    ['/v1/pets/1', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']],
    ['/v1/pets/abc', 'GET, HEAD', ['POST', 'DELETE']],
    ['/livez', 'GET, HEAD', ['POST', 'DELETE', 'OPTIONS']],
    ['/readyz', 'GET, HEAD', ['POST', 'DELETE']],
    ['/openapi.json', 'GET, HEAD', ['POST', 'PUT']],
  ]
  describe.each(served)('at %s', (target, allow, others) => {
    test.each(others)('%s is a 405 that names those served', async method => {
      const answer = await rawRequest(service().url, [`${method} ${target} HTTP/1.1`, 'Host: x'])
      expect(answer.failure).toBe('405 method_not_allowed')
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.error.message).toContain(`${method} is not served`)
    })
  })

  test.each(['/v1/pets', '/v1/pets/1', '/livez', '/readyz', '/openapi.json'])(
    'HEAD is served at %s as GET is',
    async target => {
      const head = await service().fetch(target, { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(head.text).toBe('')
    },
  )

  test('HEAD of what does not exist is a 404 without a body', async () => {
    for (const target of ['/v1/pets/999', '/v1/orders', '/nothing']) {
      const head = await service().fetch(target, { method: 'HEAD' })
      expect(head.status).toBe(404)
      expect(head.text).toBe('')
    }
  })

  test('an unknown path is a 404 with any method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      expect((await service().fetch('/v1/orders', { method })).failure).toBe('404 route_not_found')
  })
})
