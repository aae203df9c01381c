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
  status: PetStatus
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
  cursor?: string | undefined
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
  | 'outcome_unknown'

export const OPERATIONS = {
  listPets: { method: 'GET', path: '/pets' },
  createPet: { method: 'POST', path: '/pets' },
  getPet: { method: 'GET', path: '/pets/{petId}' },
} as const

/** The name of an operation in the description of the service. */
export type OperationId = keyof typeof OPERATIONS

export const LIMIT_MAX = 100

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** Their kinds, in the order in which the service writes them. */
export const PET_FIELDS = {
  id: 'int64',
  name: 'text',
  categoryId: 'int64',
  status: 'status',
} as const
