import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { petJson } from '../support/http.ts'
import { anyInt64, anyName, anyStatus, holds } from '../support/property.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('any animal', service => {
  test('any int64 goes round exactly', () =>
    holds(
      fc.asyncProperty(
        anyInt64(),
        fc.constantFrom('', '.0', '.000', 'e0', 'E+0'),
        async (categoryId, ending) => {
          const added = await service().post(`{"name":"Rex","categoryId":${categoryId}${ending}}`)
          expect(added.text).toContain(`"categoryId":${categoryId},`)
          const found = await service().fetch(`/v1/pets/${added.pet.id}`)
          expect(found.text).toBe(added.text)
        },
      ),
      150,
    ))

  test('any name and status go round exactly', () =>
    holds(
      fc.asyncProperty(anyName(), anyInt64(), anyStatus(), async (name, categoryId, status) => {
        const { pet } = await service().post(petJson({ name, categoryId, status }))
        expect(pet).toEqual({ id: pet.id, name, categoryId, status })
        expect((await service().fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
      }),
    ))

  test('any whole number outside int64 is refused, none is rounded', () =>
    holds(
      fc.asyncProperty(
        fc.oneof(
          fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }),
          fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }),
        ),
        async categoryId => {
          expect((await service().post(petJson({ categoryId }))).failure).toBe('400 invalid_body')
        },
      ),
    ))
})
