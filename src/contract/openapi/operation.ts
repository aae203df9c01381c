import type { z } from 'zod'
import { noticeOf } from '../deprecations.ts'
import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY_LENGTH } from '../limits.ts'
import type { Operation } from '../operations.ts'
import { Int64, NewPet, Pet, Pets } from '../pet.ts'
import { type ErrorSchema, responses } from './responses.ts'
import { type Json, jsonSchema } from './schemas.ts'

const EXAMPLE_PET = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }
const { id: _assigned, ...EXAMPLE_NEW_PET } = EXAMPLE_PET
const EXAMPLES = new Map<z.ZodType, unknown>([
  [Pet, EXAMPLE_PET],
  [Pets, [EXAMPLE_PET]],
  [NewPet, EXAMPLE_NEW_PET],
])

export function describeOperation(operationId: string, operation: Operation, error: ErrorSchema): Json {
  return {
    operationId,
    tags: ['pets'],
    summary: operation.summary,
    description: operation.deprecated
      ? `${operation.description} ${noticeOf(operation.deprecated)}`
      : operation.description,
    ...(operation.deprecated && {
      deprecated: true,
      'x-sunset': operation.deprecated.sunset.toISOString().slice(0, 10),
    }),
    parameters: parameters(operation),
    ...(operation.body && { requestBody: { required: true, content: json(operation.body) } }),
    responses: responses(operation, json(operation.success.schema), error),
  }
}

const json = (schema: z.ZodType): Json => ({
  'application/json': { schema: jsonSchema(schema), example: EXAMPLES.get(schema) },
})

function parameters({ pathParameter, query, method }: Operation): Json[] {
  const found: Json[] = []
  if (pathParameter) found.push({ in: 'path', required: true, ...pathParameter, schema: jsonSchema(Int64) })
  for (const [name, schema] of Object.entries(query?.shape ?? {})) {
    const { description, examples, ...rest } = jsonSchema(schema as z.ZodType)
    const [example] = examples as unknown[]
    found.push({ name, in: 'query', required: false, description, schema: rest, example })
  }
  found.push(method === 'POST' ? IDEMPOTENCY_KEY : IF_NONE_MATCH)
  return found
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes a repeat safe: the same key within ${IDEMPOTENCY_HOURS} hours adds the animal once.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
  example: '7d0c1f1e-5a0e-4a7c-9f0b-3d8f2f6f9a51',
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'An `ETag` of an earlier response; 304 if it still matches.',
  schema: { type: 'string' },
  example: '"2ud7r1ykqxw8v"',
}
