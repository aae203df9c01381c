import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { IDEMPOTENCY_HOURS } from './limits.ts'
import { NewPet, Pet, Pets } from './pet.ts'
import { ListPetsQuery } from './query.ts'

export const VERSION = '1.0.0'
export const VERSION_PREFIX = '/v1'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Relative to the version prefix; `{name}` stands for a path parameter. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly query?: z.ZodObject
  readonly pathParameter?: { readonly name: string; readonly description: string; readonly example: number }
  readonly body?: z.ZodType
  readonly success: { readonly status: 200 | 201; readonly description: string; readonly schema: z.ZodType }
  readonly errors: readonly ErrorCode[]
  readonly deprecated?: { readonly since: Date; readonly sunset: Date; readonly replacement: string }
}

const ANY_OPERATION = [
  'malformed_request',
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** The whole interface as data: routes, `Allow`, deprecation headers and the description come from here. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List all animals',
    description:
      'Animals in ascending order of their identifier. When more follow, the `Link` header names the next page with `rel="next"`.',
    query: ListPetsQuery,
    success: { status: 200, description: 'A paginated list of animals.', schema: Pets },
    errors: ['invalid_query', ...ANY_OPERATION],
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add an animal',
    description: `A 201 means that the animal is durable. With an \`Idempotency-Key\`, a repeat within ${IDEMPOTENCY_HOURS} hours returns the first response and adds nothing.`,
    body: NewPet,
    success: {
      status: 201,
      description: 'Animal added; the body includes the assigned `id`.',
      schema: Pet,
    },
    errors: [
      'malformed_json',
      'invalid_body',
      'invalid_idempotency_key',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'body_too_large',
      'unsupported_media_type',
      'expectation_failed',
      ...ANY_OPERATION,
    ],
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    summary: 'Get an animal',
    description: 'One animal by its identifier.',
    pathParameter: { name: 'petId', description: 'Identifier of the animal.', example: 1 },
    success: { status: 200, description: 'The requested animal.', schema: Pet },
    errors: ['pet_not_found', 'operation_removed', ...ANY_OPERATION],
    deprecated: {
      since: new Date('2026-11-14T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      replacement: 'GET /pets with a status filter',
    },
  },
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS
