import { type Deprecation, GET_PET_DEPRECATION } from './deprecation.ts'
import type { ErrorCode } from './errors.ts'
import type { HeaderName, RequestHeaderName } from './headers.ts'
import { CURSOR_MAX_LENGTH, IDEMPOTENCY_HOURS, LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN } from './limits.ts'
import type { PetStatus } from './pet.ts'
import { PETS_PATH } from './servers.ts'

export const VERSION = '1.0.0'

export interface ListPetsQuery {
  readonly limit: number
  readonly status: PetStatus | undefined
  readonly cursor: string | undefined
}

/** Parameters as OpenAPI describes them. */
export const LIST_PETS_QUERY = {
  limit: {
    description: 'Maximum number of animals returned.',
    schema: { type: 'integer', minimum: LIMIT_MIN, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    example: 20,
  },
  status: {
    description: 'Filters by availability status.',
    schema: { $ref: '#/components/schemas/PetStatus' },
    example: 'available',
  },
  cursor: {
    // Without an example, because tools would send it, and only a store's own cursors are valid.
    description:
      'Where the page starts: an opaque value from the `Link` header of the previous page. Omit it for the first.',
    schema: { type: 'string', minLength: 1, maxLength: CURSOR_MAX_LENGTH },
  },
} as const satisfies Record<keyof ListPetsQuery, object>

/** Names of the body schemas. */
export type BodyName = 'Pet' | 'Pets' | 'NewPet'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Relative to the version prefix; `{name}` stands for a path parameter. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly query?: typeof LIST_PETS_QUERY
  readonly pathParameter?: { readonly name: string; readonly description: string; readonly example: number }
  readonly body?: BodyName
  /** Those of this operation alone. If-None-Match also implies a 304. */
  readonly requestHeaders: readonly RequestHeaderName[]
  readonly success: {
    readonly status: 200 | 201
    readonly description: string
    readonly body: BodyName
    readonly headers: readonly HeaderName[]
  }
  readonly errors: readonly ErrorCode[]
  readonly deprecated?: Deprecation
}

const ANY_OPERATION = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** The API as data. The OpenAPI document, the reference, the client's types and the deprecation headers are derived from it. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: PETS_PATH,
    summary: 'List all animals',
    description:
      'A page of animals in ascending order of their identifier. The `Link` header leads to the next page.',
    query: LIST_PETS_QUERY,
    requestHeaders: ['If-None-Match', 'If-Match'],
    success: {
      status: 200,
      description: 'A paginated list of animals.',
      body: 'Pets',
      headers: ['ETag', 'Link'],
    },
    errors: ['invalid_query', 'precondition_failed', ...ANY_OPERATION],
  },
  createPet: {
    method: 'POST',
    path: PETS_PATH,
    summary: 'Add an animal',
    description: `After a 201 the animal is durable. With an \`Idempotency-Key\`, a retry within ${IDEMPOTENCY_HOURS} hours returns the first response and adds nothing.`,
    body: 'NewPet',
    requestHeaders: ['Idempotency-Key'],
    success: {
      status: 201,
      description: 'Animal added; the body includes the assigned `id`.',
      body: 'Pet',
      headers: ['Location', 'Idempotent-Replayed'],
    },
    errors: [
      // The first is the one that mocks return.
      'invalid_body',
      'malformed_json',
      'invalid_idempotency_key',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'body_too_large',
      'unsupported_media_type',
      ...ANY_OPERATION,
    ],
  },
  getPet: {
    method: 'GET',
    path: `${PETS_PATH}/{petId}`,
    summary: 'Get an animal',
    description: 'One animal by its identifier.',
    pathParameter: { name: 'petId', description: 'Identifier of the animal.', example: 1 },
    requestHeaders: ['If-None-Match', 'If-Match'],
    success: { status: 200, description: 'The requested animal.', body: 'Pet', headers: ['ETag'] },
    errors: ['pet_not_found', 'operation_removed', 'precondition_failed', ...ANY_OPERATION],
    deprecated: GET_PET_DEPRECATION,
  },
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[]

export const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
