import { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.ts'
import { NAME_MAX_LENGTH } from './limits.ts'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof PET_STATUSES)[number]
export const MUST_BE_A_STATUS = `must be one of ${PET_STATUSES.join(', ')}`

/** A field's type, its column, and its description in the OpenAPI document. */
export type Field = {
  readonly column: string
  readonly description: string
  /** What applies to requests only, besides the schema. */
  readonly rule?: string
  readonly example: unknown
  /** A request may omit a field that has a default. */
  readonly default?: PetStatus
} & (
  | { readonly kind: 'int64'; readonly schema?: { readonly minimum: number } }
  | { readonly kind: 'text'; readonly schema: { readonly minLength: 1; readonly maxLength: number } }
  | { readonly kind: 'status'; readonly schema?: undefined }
)

/** Each field once, in the order of JSON, columns, CSV and checksums. CONTRIBUTING.md lists what does not follow from it. */
const FIELDS = {
  id: {
    column: 'id',
    kind: 'int64',
    description: 'Unique identifier, assigned by the service.',
    schema: { minimum: 1 },
    example: 1,
  },
  name: {
    column: 'name',
    kind: 'text',
    description: "The animal's name.",
    rule: 'Kept exactly as sent. It has at least one character that is not whitespace, and contains neither a NUL nor a lone surrogate.',
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
    rule: '`available` if omitted.',
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

/** An animal as a client sends it, without an identifier. */
export type NewPet = Omit<Pet, 'id'>

/** Engines return an int64 as a bigint or as decimal text; both are exact. */
type Stored<Value> = Value extends bigint ? bigint | string : Value

export type PetRow = {
  [Name in keyof Pet as (typeof FIELDS)[Name]['column']]: Stored<Pet[Name]>
}

type PetField = Field & { readonly name: keyof Pet; readonly column: keyof PetRow }
type NewPetField = PetField & { readonly name: keyof NewPet }

export const PET_FIELDS = (Object.keys(FIELDS) as (keyof Pet)[]).map(
  (name): PetField => ({ name, ...FIELDS[name] }),
)
export const NEW_PET_FIELDS = PET_FIELDS.filter((field): field is NewPetField => field.name !== 'id')

/** The columns for a SELECT. */
export const PET_COLUMNS = PET_FIELDS.map(({ column }) => column).join(', ')

export function petOfRow(row: PetRow): Pet {
  const pet: Record<string, unknown> = {}
  for (const { name, column, kind } of PET_FIELDS)
    pet[name] = kind === 'int64' ? BigInt(row[column]) : row[column]
  return pet as Pet
}

/** Whether two animals are equal apart from their identifiers. */
export const isSameContent = (one: NewPet, other: NewPet): boolean =>
  NEW_PET_FIELDS.every(({ name }) => one[name] === other[name])

export type ReadPet =
  | { readonly pet: NewPet; readonly problem?: undefined }
  | { readonly problem: string; readonly pet?: undefined }

/** The animal that a JSON value describes, or everything that is wrong with it. Unknown fields are ignored. */
export function readNewPet(json: unknown): ReadPet {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { problem: 'it must be a JSON object' }
  const pet: Record<string, unknown> = {}
  const problems: string[] = []
  for (const field of NEW_PET_FIELDS) {
    const { name } = field
    const value = exactValue((json as Partial<Record<string, unknown>>)[name], field)
    const problem = value === undefined ? 'is required' : problemWith(value, field)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
    pet[name] = value
  }
  return problems.length === 0 ? { pet: pet as NewPet } : { problem: problems.join('; ') }
}

/** Applies the default, and turns an integer that JSON.parse read exactly into a bigint. */
function exactValue(sent: unknown, field: Field): unknown {
  if (sent === undefined) return field.default
  return field.kind === 'int64' && Number.isSafeInteger(sent) ? BigInt(sent as number) : sent
}

function problemWith(value: unknown, { kind, schema }: Field): string | undefined {
  if (kind === 'text') return problemWithText(value, schema.maxLength)
  if (kind === 'status') return PET_STATUSES.some(status => status === value) ? undefined : MUST_BE_A_STATUS
  // Only the identifier has a minimum, and no client sends it.
  if (typeof value === 'bigint' && isInt64(value)) return undefined
  const isQuoted = typeof value === 'string' && parseInt64(value) !== undefined
  return `must be an integer from ${INT64_MIN} to ${INT64_MAX}${isQuoted ? `, and "${value}" is a string` : ''}`
}

/** Not `\S`: unlike Unicode's, JavaScript's whitespace lacks U+0085 and includes U+FEFF. */
export const HAS_VISIBLE = /\P{White_Space}/u

function problemWithText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (!value.isWellFormed()) return 'must not contain a lone surrogate'
  if (value.includes('\0')) return 'must not contain a NUL character'
  if (value === '' || isLonger(value, maxLength)) return `must have 1 to ${maxLength} characters`
  if (!HAS_VISIBLE.test(value)) return 'must contain at least one character that is not whitespace'
  return undefined
}

/** A code point is one or two UTF-16 units, so most strings need no counting. */
const isLonger = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)

/** Renders an animal as JSON with exact int64s. JSON.stringify is slower and does not support bigints. */
export function petToJson(pet: Pet): string {
  let json = ''
  for (const { name } of PET_FIELDS) {
    const value = pet[name]
    json += `${json === '' ? '' : ','}"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`
  }
  return `{${json}}`
}
