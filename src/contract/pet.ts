import { NAME_MAX_LENGTH } from './limits.ts'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof PET_STATUSES)[number]

/** What a field holds, how it is stored, and what the description of the API says about it. */
export type Field = {
  readonly column: string
  readonly description: string
  readonly example: unknown
  /** A request may leave out a field that has one. */
  readonly default?: PetStatus
} & (
  | { readonly kind: 'int64'; readonly schema?: { readonly minimum: number } }
  | { readonly kind: 'text'; readonly schema: { readonly minLength: 1; readonly maxLength: number } }
  | { readonly kind: 'status'; readonly schema?: undefined }
)

/**
 * Each field once, in the order of JSON, columns, CSV and checksums. Types, validation, statements, files and the description
 * follow; only the two `schema.sql` repeat it.
 */
export const FIELDS = {
  id: {
    column: 'id',
    kind: 'int64',
    description: 'Unique identifier, assigned by the service on creation.',
    schema: { minimum: 1 },
    example: 1,
  },
  name: {
    column: 'name',
    kind: 'text',
    description:
      "The animal's name, kept exactly as sent. At least one character is not white space. It contains neither a NUL nor a lone surrogate.",
    schema: { minLength: 1, maxLength: NAME_MAX_LENGTH },
    example: 'Rex',
  },
  categoryId: {
    column: 'category_id',
    kind: 'int64',
    description: 'Identifier of the category the animal belongs to.',
    example: 7,
  },
  status: {
    column: 'status',
    kind: 'status',
    description: 'Availability status.',
    example: 'available',
    default: 'available',
  },
} as const satisfies Record<string, Field>

interface Values {
  int64: bigint
  text: string
  status: PetStatus
}

export type Pet = { [Name in keyof typeof FIELDS]: Values[(typeof FIELDS)[Name]['kind']] }

/** What a client sends: all but the identifier. */
export type NewPet = Omit<Pet, 'id'>
