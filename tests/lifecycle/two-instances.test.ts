import { expect, test } from 'bun:test'
import { petJson, walk } from '../support/http.ts'
import { onEveryEngine, startService } from '../support/service.ts'

onEveryEngine('two instances on one database', service => {
  test('see each other’s animals, give no identifier twice, and keep idempotency keys together', async () => {
    const other = await startService(service().options)
    const both = [service(), other]

    const { pet } = await service().post(petJson({ name: 'here' }))
    expect((await other.fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)

    const added = await Promise.all(
      Array.from({ length: 60 }, (_, n) => both[n % 2]?.post(petJson({ name: `animal ${n}` }))),
    )
    expect(added.map(answer => answer?.status)).toEqual(Array(60).fill(201))
    expect(new Set(added.map(answer => answer?.pet.id)).size).toBe(60)

    const repeated = await Promise.all(
      Array.from({ length: 20 }, (_, n) => both[n % 2]?.post(petJson({}), { 'Idempotency-Key': 'one' })),
    )
    const ids = repeated.filter(answer => answer?.status === 201).map(answer => answer?.pet.id)
    expect(new Set(ids).size).toBe(1)
    expect(repeated.every(answer => answer?.status === 201 || answer?.status === 409)).toBe(true)

    expect((await walk(service(), '/v1/pets?limit=7')).pets).toHaveLength(62)
    expect((await walk(other, '/v1/pets?limit=7')).pets).toHaveLength(62)
    expect(await other.stop()).toBe(0)
  })
})
