import type { NewPet, Pet, PetStatus } from './pet.ts'

type Kind = 'int64' | 'text' | 'status'

/** Each field once, in the order of JSON, columns, CSV and checksums. Everything that goes through all of them starts here. */
const FIELDS = {
  id: { column: 'id', kind: 'int64' },
  name: { column: 'name', kind: 'text' },
  categoryId: { column: 'category_id', kind: 'int64' },
  status: { column: 'status', kind: 'status' },
} as const satisfies Record<keyof Pet, { readonly column: string; readonly kind: Kind }>

export const PET_FIELDS = (Object.keys(FIELDS) as (keyof Pet)[]).map(name => ({ name, ...FIELDS[name] }))

/** What a client sends: all but the identifier. */
export const NEW_PET_FIELDS = PET_FIELDS.filter((field): field is NewPetField => field.name !== 'id')
type NewPetField = (typeof PET_FIELDS)[number] & { readonly name: keyof NewPet }

/** For SELECT and INSERT. */
export const PET_COLUMNS = PET_FIELDS.map(({ column }) => column).join(', ')

/** An engine returns an int64 as a bigint or as decimal text: both are exact. */
type Stored<FieldKind extends Kind> = FieldKind extends 'int64'
  ? bigint | string
  : FieldKind extends 'status'
    ? PetStatus
    : string

export type PetRow = {
  [Name in keyof typeof FIELDS as (typeof FIELDS)[Name]['column']]: Stored<(typeof FIELDS)[Name]['kind']>
}

export function petOfRow(row: PetRow): Pet {
  const pet: Record<string, unknown> = {}
  for (const { name, column, kind } of PET_FIELDS)
    pet[name] = kind === 'int64' ? BigInt(row[column]) : row[column]
  return pet as Pet
}

/** Whether two animals have the same content, whatever their identifiers are. */
export const isSameContent = (one: NewPet, other: NewPet): boolean =>
  NEW_PET_FIELDS.every(({ name }) => one[name] === other[name])
