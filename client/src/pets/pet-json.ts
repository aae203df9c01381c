import { type NewPet, PET_STATUSES, type Pet } from '../contract.generated.ts'
import { entriesOf } from '../defined.ts'
import { decimal, INT64_AS, type Int64Input, type Int64Mode, type Int64Types, int64Of } from '../int64.ts'
import { parseJson } from '../json.ts'

/** Formats an animal as the JSON of the service: int64 values are numbers, exact to the last digit. */
export const stringifyPet = (pet: Pet<Int64Input> | NewPet): string =>
  `{${entriesOf(pet)
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(name, value)}`)
    .join()}}`

const jsonOf = (name: string, value: unknown): string | undefined =>
  name === 'id' || name === 'categoryId' || typeof value === 'bigint'
    ? decimal(value as Int64Input, name)
    : JSON.stringify(value)

/**
 * Parses an animal, exact to the last digit. Throws a SyntaxError if the text is not JSON, a TypeError if it is not an animal,
 * and a RangeError if a value does not fit the type.
 */
export function parsePet<Mode extends Int64Mode = 'bigint'>(
  json: string,
  int64?: Mode,
): Pet<Int64Types[Mode]> {
  const pet = readPet(parseJson(json), int64 ?? ('bigint' as Mode))
  if (!pet) throw new TypeError('This is not an animal.')
  return pet
}

/** The animal in a parsed value; undefined if it is not an animal. Unknown fields are kept. */
export function readPet<Mode extends Int64Mode>(
  value: unknown,
  mode: Mode,
): Pet<Int64Types[Mode]> | undefined {
  const pet = Object(value) as Pet<unknown>
  const id = int64Of(pet.id)
  const categoryId = int64Of(pet.categoryId)
  const isPet = typeof pet.name === 'string' && PET_STATUSES.includes(pet.status)
  if (!isPet || id === undefined || categoryId === undefined) return undefined
  const as = INT64_AS[mode]
  return { ...pet, id: as(id), categoryId: as(categoryId) }
}
