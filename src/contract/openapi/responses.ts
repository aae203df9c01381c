import type { ErrorBody } from '../error-body.ts'
import { ERRORS, type ErrorCode, type ErrorKind } from '../errors.ts'
import { explain } from '../explain.ts'
import type { HeaderName } from '../headers.ts'
import type { Operation } from '../operations.ts'
import { headers } from './headers.ts'
import type { Json } from './schemas.ts'

/** The description of the Error schema. */
export interface ErrorSchema extends Json {
  readonly properties: Record<keyof ErrorBody, Json>
}

const EVERY_ANSWER: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
const DEPRECATED: readonly HeaderName[] = ['Deprecation', 'Sunset']
const READ: readonly HeaderName[] = ['ETag', 'Cache-Control']
const CREATED: readonly HeaderName[] = ['Location', 'Idempotent-Replayed']
/** Codes of one status carry the same headers. */
const carriedBy = ([code]: readonly ErrorCode[]): HeaderName[] =>
  code === undefined ? [] : (Object.keys((ERRORS[code] as ErrorKind).headers ?? {}) as HeaderName[])

/** The answers of an operation, by their status. */
export function responses(operation: Operation, content: Json, error: ErrorSchema): Json {
  const { success, method, query, deprecated } = operation
  const isDeprecated = deprecated !== undefined
  const always = [...EVERY_ANSWER, ...(isDeprecated ? DEPRECATED : [])]
  const read = [...always, ...READ, ...(query ? (['Link'] as const) : [])]
  const answers: Record<string, Json> = {
    [success.status]: {
      description: success.description,
      headers: headers(method === 'GET' ? read : [...always, ...CREATED], isDeprecated),
      content,
      ...(method === 'POST' && { links: { getPet: CREATED_PET } }),
    },
  }
  if (method === 'GET')
    answers['304'] = {
      description: 'Not modified: the `ETag` sent still matches.',
      headers: headers(read, isDeprecated),
    }
  for (const [status, codes] of Map.groupBy(operation.errors, code => ERRORS[code].status)) {
    answers[status] = {
      description: codes.map(code => ERRORS[code].when).join(' '),
      headers: headers([...always, ...carriedBy(codes)], isDeprecated),
      content: errorContent(status, codes, error),
    }
  }
  return answers
}

const CREATED_PET: Json = {
  operationId: 'getPet',
  parameters: { petId: '$response.body#/id' },
  description: 'The animal that was added.',
}

/**
 * An Error with the codes of this status here and no others, so that a client that looks at the status knows which there can be.
 * Written out, as linters and generators take a combination of schemas for something harder.
 */
function errorContent(
  status: number,
  codes: readonly ErrorCode[],
  { properties, ...rest }: ErrorSchema,
): Json {
  const examples = codes.map(code => [
    code,
    { summary: ERRORS[code].when, value: { code, message: explain(code).example, status } },
  ])
  return {
    'application/json': {
      schema: {
        ...rest,
        properties: {
          code: { type: 'string', description: properties.code.description, enum: codes },
          message: properties.message,
          status: { type: 'integer', description: properties.status.description, enum: [status] },
        },
      },
      examples: Object.fromEntries(examples),
    },
  }
}
