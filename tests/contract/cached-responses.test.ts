import { beforeAll, expect, test } from 'bun:test'
import { rawRequest } from '../support/http.ts'
import { MEASURED, scrape } from '../support/metrics.ts'
import { sharedService } from '../support/service.ts'

const SHOP = 'https://shop.example.org'

const service = sharedService({
  variables: { PETSTORE_CORS_ORIGINS: SHOP, PETSTORE_RATE_LIMIT: '1000/60s', ...MEASURED },
})
beforeAll(() => service().addAnimals(3))

const count = async (result: 'hit' | 'miss'): Promise<number> =>
  (await scrape(service())).get(`petstore_cache_reads_total{operation="listPets",result="${result}"}`) ?? 0

test('a query has one response however it is spelled, and each spelling is cached whoever the Host is', async () => {
  const [hits, misses] = [await count('hit'), await count('miss')]
  const first = await service().fetch('/v1/pets?limit=2&status=available')
  expect(first.pets).toHaveLength(2)
  const others = 'status=available&limit=2 x=1&limit=2&status=available&y limit=%32&status=available'
  for (const query of others.split(' '))
    for (const host of ['x', 'other.example:81']) {
      const answer = await rawRequest(service().url, [`GET /v1/pets?${query} HTTP/1.1`, `Host: ${host}`])
      expect(answer.text).toBe(first.text)
      for (const name of ['link', 'etag']) expect(answer.headers.get(name)).toBe(first.headers.get(name))
    }
  expect([await count('hit'), await count('miss')]).toEqual([hits + 3, misses + 4])
})

test('a list and an animal that are cached under the same text are not mixed up', async () => {
  const [animal, list] = [await service().fetch('/v1/pets/1'), await service().fetch('/v1/pets')]
  expect([animal.pet.id, list.pets[0]?.id]).toEqual([1n, 1n])
  expect((await service().fetch('/v1/pets?1')).text).toBe(list.text)
  expect((await service().fetch('/v1/pets/1')).text).toBe(animal.text)
})

test.each(['/v1/pets', '/v1/pets/1', '/openapi.json', '/nothing'])(
  'cached responses of %s carry nothing of the callers before',
  async path => {
    const plain = await service().fetch(path, { headers: { 'X-Request-Id': 'first' } })
    const tag = plain.headers.get('etag') ?? ''
    const shared = { Origin: SHOP, 'X-Request-Id': 'second' }
    const other = await service().fetch(path, { headers: shared })
    expect(other.headers.get('access-control-allow-origin')).toBe(SHOP)
    await service().fetch(path, { method: 'HEAD', headers: shared })
    await service().fetch(path, { headers: { ...shared, 'If-None-Match': tag } })
    const again = await service().fetch(path, { headers: { 'X-Request-Id': 'third' } })
    expect(again.headers.get('x-request-id')).toBe('third')
    expect([...again.headers.keys()]).toEqual([...plain.headers.keys()])
  },
)
