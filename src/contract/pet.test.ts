import { expect, test } from 'bun:test'
import { Pet } from './pet.ts'
import { PET_COLUMNS, PET_FIELDS, petOfRow } from './pet-fields.ts'
import { petToJson } from './pet-json.ts'

const pet: Pet = { id: 2n ** 63n - 1n, name: 'a "b"\n\u2028🐈', categoryId: -(2n ** 63n), status: 'sold' }

test('every field of an animal is in its JSON, exact to the last digit', () => {
  const json = petToJson(pet)
  expect(json).toBe(
    `{"id":9223372036854775807,"name":${JSON.stringify(pet.name)},"categoryId":-9223372036854775808,"status":"sold"}`,
  )
  expect(Object.keys(JSON.parse(json))).toEqual(Object.keys(Pet.shape))
})

test('a row with a column for each value is the animal again, with int64 as text or as bigint', () => {
  const row = (int64: (value: unknown) => unknown) =>
    Object.fromEntries(
      PET_FIELDS.map(({ name, column, kind }) => [column, kind === 'int64' ? int64(pet[name]) : pet[name]]),
    ) as Parameters<typeof petOfRow>[0]
  expect(Object.keys(row(String)).join(', ')).toBe(PET_COLUMNS)
  expect(petOfRow(row(String))).toEqual(pet)
  expect(petOfRow(row(value => value))).toEqual(pet)
})
