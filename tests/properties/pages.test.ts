import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PetBody, petJson, walk } from '../support/http.ts'
import { anyInt64, anyName, anyStatus, holds } from '../support/property.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('any list of creations', service => {
  test('pages back complete, in order, at any limit and filter', async () => {
    const creations = fc.array(fc.record({ name: anyName(), categoryId: anyInt64(), status: anyStatus() }), {
      maxLength: 12,
    })
    const limit = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 5 }))
    const filter = fc.option(anyStatus(), { nil: undefined })
    // Animals cannot be removed, so each round adds to those of the previous rounds.
    const everyone: PetBody[] = []
    await holds(
      fc.asyncProperty(creations, limit, filter, async (added, size, status) => {
        for (const animal of added) everyone.push((await service().post(petJson(animal))).pet)
        const query = `limit=${size}${status === undefined ? '' : `&status=${status}`}`
        const { pets } = await walk(service(), `/v1/pets?${query}`)
        expect(pets).toEqual(everyone.filter(pet => status === undefined || pet.status === status))
      }),
      40,
    )
  })
})
