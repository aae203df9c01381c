// Generated from the contract of the service by `npm run openapi`. Edit the contract, not this file.

/** The version of this package, sent in the User-Agent. */
export const VERSION = '1.0.0'

/** Availability status of an animal. */
export type PetStatus = 'available' | 'pending' | 'sold'

/** The fields of an animal that are int64. */
export const INT64_FIELDS = ['id', 'categoryId'] as const

/** An animal in the store. */
export interface Pet<Int64 = bigint> {
  /** Unique identifier, assigned by the service on creation. */
  id: Int64
  /** The animal's name, kept exactly as sent. At least one character is not white space. It contains neither a NUL nor a lone surrogate. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  /** Availability status. */
  status?: PetStatus | (string & {}) | undefined
}

/** An animal to add. The service assigns its identifier; other fields are ignored. */
export interface NewPet<Int64 = bigint | number | string> {
  /** The animal's name, kept exactly as sent. At least one character is not white space. It contains neither a NUL nor a lone surrogate. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  /** Availability status; `available` if omitted. */
  status?: PetStatus | undefined
}

/** Which animals to list, and how many at a time. */
export interface ListPetsQuery {
  /** Maximum number of animals returned. */
  limit?: number | undefined
  /** Filters by availability status. */
  status?: PetStatus | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the previous page. */
  cursor?: string | undefined
}

/** The HTTP status of each error code. */
export interface ErrorStatuses {
  /** The body is not JSON, or not valid UTF-8. */
  malformed_json: 400
  /** Fields of the body are missing or invalid, and the message names all of them; or the body has more than 4096 values. */
  invalid_body: 400
  /** A query parameter is invalid, empty, or sent more than once. */
  invalid_query: 400
  /** The Idempotency-Key header is empty, sent twice, or longer than 255 characters. */
  invalid_idempotency_key: 400
  /** The request is not valid HTTP. */
  malformed_request: 400
  /** The request carries no bearer credentials. */
  missing_api_key: 401
  /** The API key is unknown, revoked, expired, malformed, or for the other environment. */
  invalid_api_key: 401
  /** No animal has this identifier. */
  pet_not_found: 404
  /** Nothing is served at this path. A trailing slash makes it a different path. */
  route_not_found: 404
  /** The path exists, but does not support this method; the Allow header lists the methods it supports. */
  method_not_allowed: 405
  /** The first request with this Idempotency-Key has not finished. */
  idempotency_in_progress: 409
  /** The operation was removed. Before the removal, only a staging service that rehearses it returns this. */
  operation_removed: 410
  /** The If-Match header of the request names no ETag that the resource has. */
  precondition_failed: 412
  /** The body is larger than 64 KiB. */
  body_too_large: 413
  /** The body is not application/json, or it is compressed. */
  unsupported_media_type: 415
  /** This Idempotency-Key was used for another body. */
  idempotency_key_reused: 422
  /** This API key made more requests than the operator allows; Retry-After says when to continue. */
  rate_limited: 429
  /** An internal error. The log of the service has the details under the request id. */
  internal_error: 500
  /** The storage does not respond, too many writes are waiting, or the service is shutting down. */
  unavailable: 503
}

export const OPERATIONS = {
  listPets: { method: 'GET', path: '/pets' },
  createPet: { method: 'POST', path: '/pets' },
  getPet: { method: 'GET', path: '/pets/{petId}' },
} as const

/** The name of an operation in the description of the service. */
export type OperationId = keyof typeof OPERATIONS

export const LIMIT_MAX = 100

export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
