import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

const anyInt64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 5n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n),
)
/** Valid names from all of Unicode. */
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter(name => /\S/.test(name) && !name.includes('\0') && name.isWellFormed())
const anyStatus = fc.constantFrom('available', 'pending', 'sold')
const anyAnimal = fc.record({ name: anyName, categoryId: anyInt64, status: anyStatus })

onEveryEngine('any animal', service => {
  test('any name, status and int64 go round exactly, however the number ends', () =>
    fc.assert(
      fc.asyncProperty(anyAnimal, fc.constantFrom('', '.0', '.000', 'e0', 'E+0'), async (animal, ending) => {
        const sent = petJson(animal).replace(`:${animal.categoryId}`, number => number + ending)
        const added = await service().post(sent)
        expect(added.pet).toEqual({ id: added.pet.id, ...animal })
        expect((await service().fetch(`/v1/pets/${added.pet.id}`)).text).toBe(added.text)
      }),
    ))
})
