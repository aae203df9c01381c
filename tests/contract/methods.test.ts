import { beforeAll, expect, test } from 'bun:test'
import { type CompleteResponse, rawRequest } from '../support/http.ts'
import { onOneEngine } from '../support/service.ts'

onOneEngine('methods', service => {
  beforeAll(() => service().addAnimals(5))

  test.each([
    ['/v1/pets', 'GET, HEAD, POST', 'PUT PATCH DELETE OPTIONS TRACE PROPFIND'],
    ['/v1/pets/1', 'GET, HEAD', 'POST PUT PATCH DELETE OPTIONS TRACE'],
    ['/livez', 'GET, HEAD', 'POST DELETE OPTIONS'],
    ['/', 'GET, HEAD', 'POST'],
  ])('at %s another method than %s is a 405 that names those', async (target, allow, others) => {
    for (const method of others.split(' ')) {
      const answer = await rawRequest(service().url, [`${method} ${target} HTTP/1.1`, 'Host: x'])
      expect(answer.failure).toBe('405 method_not_allowed')
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.error.message).toContain(`${method} is not allowed`)
    }
  })

  test.each([
    ['/v1/pets', 200],
    ['/v1/pets?limit=2', 200],
    ['/v1/pets/1', 200],
    ['/livez', 200],
    ['/openapi.json', 200],
    ['/', 200],
    ['/v1/pets/999', 404],
  ])('HEAD at %s is a %d with all headers of GET, and no body', async (target, status) => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map(method => rawRequest(service().url, [`${method} ${target} HTTP/1.1`, 'Host: x'])),
    )
    expect([head?.status, head?.text]).toEqual([status, ''])
    const stable = (answer?: CompleteResponse) => {
      const { date = '', 'x-request-id': _, ...others } = Object.fromEntries(answer?.headers ?? [])
      return { isDated: Math.abs(Date.parse(date) - Date.now()) < 60_000, ...others }
    }
    expect(stable(head)).toEqual({ ...stable(get), isDated: true })
  })
})
