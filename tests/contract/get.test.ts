import { beforeAll, expect, test } from 'bun:test'
import { petJson, rawRequest } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('getting an animal', service => {
  beforeAll(async () => {
    for (let n = 0; n < 8; n++) await service().post(petJson({ name: `animal ${n}` }))
  })

  test('an identifier in plain decimal form names its animal', async () => {
    const { pets } = await service().fetch('/v1/pets')
    for (const pet of pets) {
      const answer = await service().fetch(`/v1/pets/${pet.id}`)
      expect(answer.status).toBe(200)
      expect(answer.pet).toEqual(pet)
    }
  })

  test('what a list is kept under names no animal', async () => {
    const list = `${service().url}/v1/pets?limit=2`
    expect((await service().fetch('/v1/pets?limit=2')).status).toBe(200)
    for (const name of [list, '/v1/pets?limit=2']) {
      const answer = await service().fetch(`/v1/pets/${encodeURIComponent(name)}`)
      expect([answer.status, answer.error.code]).toEqual([404, 'pet_not_found'])
    }
  })

  const noAnimal = [
    '999999',
    '0',
    '-1',
    '-0',
    '007',
    '+1',
    '1.0',
    '1e0',
    '0x1',
    '1n',
    '1_0',
    '%20%31',
    '1%20',
    '1%00',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '18446744073709551617',
    '123456789012345678901234567890',
    'abc',
    '١',
    '1;v=1',
    '1,2',
    '%2F1',
    '%',
  ]
  test.each(noAnimal)('%s names no animal: 404', async petId => {
    expect((await service().fetch(`/v1/pets/${petId}`)).failure).toBe('404 pet_not_found')
  })

  test('a percent-encoded digit is the digit, as RFC 3986 has it', async () => {
    const answer = await service().fetch('/v1/pets/%31')
    expect(answer.status).toBe(200)
    expect(answer.pet.id).toBe(1n)
  })

  test('a query does not change which animal is meant', async () => {
    const answer = await service().fetch('/v1/pets/1?limit=0&id=2')
    expect(answer.status).toBe(200)
    expect(answer.pet.id).toBe(1n)
  })

  const noRoute = [
    '/v1/pets/',
    '/v1/pets/1/',
    '/v1/pets/1/2',
    '/v1//pets',
    '/v1/pets//1',
    '/v1/Pets',
    '/v1/',
    '/v1',
  ]
  test.each(noRoute)('%s is another path: 404', async target => {
    const answer = await rawRequest(service().url, [`GET ${target} HTTP/1.1`, 'Host: x'])
    expect(answer.failure).toBe('404 route_not_found')
  })

  test('a message that repeats an identifier repeats it exactly', async () => {
    const { error } = await service().fetch('/v1/pets/9223372036854775807')
    expect(error.message).toContain('9223372036854775807')
  })
})
