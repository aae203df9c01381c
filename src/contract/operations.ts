import { type Deprecation, GET_PET_DEPRECATION } from './deprecation.ts'
import type { ErrorCode } from './errors.ts'
import type { HeaderName } from './headers.ts'
import {
  CURSOR_MAX_LENGTH,
  IDEMPOTENCY_HOURS,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  LIMIT_MIN,
  MAX_IDEMPOTENCY_KEY_LENGTH,
} from './limits.ts'
import { PETS_PATH } from './servers.ts'

export const VERSION = '1.0.0'

/** As OpenAPI describes it. Tools send an example untouched, so only a required parameter has one. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example?: unknown
}

export const LIST_PETS_QUERY = {
  limit: {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of animals returned.',
    schema: { type: 'integer', minimum: LIMIT_MIN, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  },
  status: {
    name: 'status',
    in: 'query',
    description: 'Filters by availability status.',
    schema: { $ref: '#/components/schemas/PetStatus' },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'Where the page starts: an opaque value from the `Link` header of the previous page. Omit it for the first.',
    schema: { type: 'string', minLength: 1, maxLength: CURSOR_MAX_LENGTH },
  },
} as const satisfies Record<string, Parameter>

const PET_ID: Parameter = {
  name: 'petId',
  in: 'path',
  required: true,
  description: 'Identifier of the animal.',
  schema: { type: 'integer', format: 'int64' },
  example: 1,
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes a retry safe. It must not contain a comma followed by a space.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'An `ETag` of an earlier response: 304 if it still matches. Sent as `If-Match` instead: 412 unless it does.',
  schema: { type: 'string' },
}

/** Names of the body schemas. */
export type BodyName = 'Pet' | 'Pets' | 'NewPet'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Relative to the version prefix; `{name}` stands for a path parameter. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly body?: BodyName
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
      'Returns a page of animals in ascending order of their identifier. The `Link` header leads to the next page.',
    parameters: [...Object.values(LIST_PETS_QUERY), IF_NONE_MATCH],
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
    description: `Adds an animal. After a 201 it is durable. With an \`Idempotency-Key\`, a retry within ${IDEMPOTENCY_HOURS} hours returns the first response and adds nothing.`,
    body: 'NewPet',
    parameters: [IDEMPOTENCY_KEY],
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
      'outcome_unknown',
      ...ANY_OPERATION,
    ],
  },
  getPet: {
    method: 'GET',
    path: `${PETS_PATH}/{petId}`,
    summary: 'Get an animal',
    description: 'Returns one animal by its identifier.',
    parameters: [PET_ID, IF_NONE_MATCH],
    success: { status: 200, description: 'The requested animal.', body: 'Pet', headers: ['ETag'] },
    errors: ['pet_not_found', 'operation_removed', 'precondition_failed', ...ANY_OPERATION],
    deprecated: GET_PET_DEPRECATION,
  },
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[]

export const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
