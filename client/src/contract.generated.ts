// Generated from the contract of the service by `npm run openapi`. Edit the contract, not this file.

/** The version of this package, sent in the User-Agent. */
export const VERSION = '1.0.0'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const

/** Availability status of an animal. */
export type PetStatus = (typeof PET_STATUSES)[number]

/** An animal in the store. */
export interface Pet<Int64 = bigint> {
  /** Unique identifier, assigned by the service. */
  id: Int64
  /** The animal's name. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  /** Availability status. */
  status?: PetStatus | (string & {}) | undefined
}

/** An animal to add. The service assigns its `id` and ignores other fields. */
export interface NewPet<Int64 = bigint | number | string> {
  /** The animal's name. Kept exactly as sent. It has at least one character that is not whitespace, and contains neither a NUL nor a lone surrogate. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  /** Availability status. `available` if omitted. */
  status?: PetStatus | undefined
}

/** Which animals to list, and how many at a time. */
export interface ListPetsQuery {
  /** Maximum number of animals returned. */
  limit?: number | undefined
  /** Filters by availability status. */
  status?: PetStatus | undefined
  /** Where the page starts: an opaque value from the `Link` header of the previous page. Omit it for the first. */
  cursor?: string
}

/** The error codes of the service. */
export type ErrorCode =
  | 'malformed_json'
  | 'invalid_body'
  | 'invalid_query'
  | 'invalid_idempotency_key'
  | 'malformed_request'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'pet_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'idempotency_in_progress'
  | 'operation_removed'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'

export const OPERATIONS = {
  listPets: { method: 'GET', path: '/pets' },
  createPet: { method: 'POST', path: '/pets' },
  getPet: { method: 'GET', path: '/pets/{petId}' },
} as const

/** The name of an operation in the description of the service. */
export type OperationId = keyof typeof OPERATIONS

export const LIMIT_MAX = 100

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

const PET_FIELDS = [
  { name: 'id', kind: 'int64' },
  { name: 'name', kind: 'text' },
  { name: 'categoryId', kind: 'int64' },
  { name: 'status', kind: 'status' },
] as const

interface JsonField {
  readonly name: string
  readonly isInt64: boolean
  /** The name as in JSON, with its colon. */
  readonly key: string
}

const jsonField = (name: string, isInt64 = false): JsonField => ({
  name,
  isInt64,
  key: `${JSON.stringify(name)}:`,
})

const KNOWN = PET_FIELDS.map(({ name, kind }) => jsonField(name, kind === 'int64'))

/** Renders an animal as JSON with exact int64s. JSON.stringify is slower and does not support bigints. */
export function petToJson(pet: object, fields: readonly JsonField[] = KNOWN): string {
  let json = ''
  for (const { name, isInt64, key } of fields) {
    const value = pet[name as keyof typeof pet] as unknown
    let text: string | undefined
    if (typeof value === 'bigint') text = String(value)
    else if (isInt64 && value !== undefined) text = decimal(value, name)
    else text = JSON.stringify(value)
    // JSON.stringify returns undefined for a value that JSON cannot represent, such as a function.
    if (text !== undefined) json += (json === '' ? '' : ',') + key + text
  }
  return `{${json}}`
}

/** The same for any object: uses its `toJSON`, and keeps fields that this release does not know. */
export function anyPetToJson(pet: object): string {
  const { toJSON } = pet as { readonly toJSON?: unknown }
  const plain: object = typeof toJSON === 'function' ? toJSON.call(pet) : pet
  const others = Object.keys(plain).filter(name => !KNOWN.some(field => field.name === name))
  return petToJson(plain, [...KNOWN, ...others.map(name => jsonField(name))])
}

/** An int64 in plain decimal form. Rejects a number that may already have lost digits. */
export function decimal(value: unknown, name: string): string {
  const isExact =
    typeof value === 'string'
      ? /^(0|-?[1-9]\d{0,18})$/.test(value)
      : typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isExact) return `${value}`
  const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
  throw new RangeError(
    `${name} must be an integer, as a bigint, a safe number or plain decimal digits, not ${got}.`,
  )
}
