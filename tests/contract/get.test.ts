import { beforeAll, expect, test } from 'bun:test'
import { rawRequest } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('getting an animal', service => {
  beforeAll(() => service().addAnimals(3))

  test('an identifier in plain decimal form names its animal, whatever the query', async () => {
    for (const pet of (await service().fetch('/v1/pets')).pets)
      for (const query of ['', '?limit=0&id=2']) {
        const answer = await service().fetch(`/v1/pets/${pet.id}${query}`)
        expect([answer.status, answer.pet]).toEqual([200, pet])
      }
  })

  const noAnimal = `999999 0 -1 -0 01 007 +1 1.0 1e0 0x1 1n 1_0 %20%31 1%20 1%00 9223372036854775807 -9223372036854775808
    9223372036854775808 -9223372036854775809 18446744073709551617 abc ١ 1;v=1 1,2 %2F1 % %2Fv1%2Fpets%3Flimit=2`
  test.each(noAnimal.split(/\s+/))('%s names no animal: 404', async petId => {
    await service().fetch('/v1/pets?limit=2')
    expect((await service().fetch(`/v1/pets/${petId}`)).failure).toBe('404 pet_not_found')
  })

  const noRoute = '/v1/pets/ /v1/pets/1/ /v1/pets/1/2 /v1//pets /v1/pets//1 /v1/Pets /v1/ /v1'
  test.each(noRoute.split(' '))('%s is another path: 404', async target => {
    const answer = await rawRequest(service().url, [`GET ${target} HTTP/1.1`, 'Host: x'])
    expect(answer.failure).toBe('404 route_not_found')
  })

  test('a response says since when the operation is deprecated, when it will be removed, and where to read more', async () => {
    const answer = await service().fetch('/v1/pets/1')
    expect(answer.headers.get('deprecation')).toBe('@1794614400')
    expect(answer.headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(answer.headers.get('link')).toBe('</docs#deprecation>; rel="deprecation"; type="text/html"')
  })
})
