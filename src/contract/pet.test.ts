import { expect, test } from 'bun:test'
import { PET_COLUMNS, PET_FIELD_NAMES, Pet, petOfRow, petsToJson, petToJson, petValues } from './pet.ts'

const pet: Pet = { id: 2n ** 63n - 1n, name: 'a "b"\n\u2028🐈', categoryId: -(2n ** 63n), status: 'sold' }

test('every field of an animal is in its JSON, exact to the last digit', () => {
  const json = petToJson(pet)
  expect(json).toBe(
    `{"id":9223372036854775807,"name":${JSON.stringify(pet.name)},"categoryId":-9223372036854775808,"status":"sold"}`,
  )
  expect(Object.keys(JSON.parse(json))).toEqual(Object.keys(Pet.shape))
  expect(petsToJson([pet, pet])).toBe(`[${json},${json}]`)
})

test('a row with a column for each value is the animal again, with int64 as text or as bigint', () => {
  const columns = PET_COLUMNS.split(', ')
  expect(columns).toHaveLength(PET_FIELD_NAMES.length)
  const row = (int64: (value: bigint) => unknown) =>
    Object.fromEntries(
      petValues(pet).map((value, index) => [
        columns[index],
        typeof value === 'bigint' ? int64(value) : value,
      ]),
    ) as Parameters<typeof petOfRow>[0]
  expect(petOfRow(row(String))).toEqual(pet)
  expect(petOfRow(row(value => value))).toEqual(pet)
})
