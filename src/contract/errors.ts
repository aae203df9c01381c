import { GET_PET_DEPRECATION } from './deprecation.ts'
import type { HeaderName } from './headers.ts'
import {
  IDEMPOTENCY_HOURS,
  MAX_BODY_BYTES,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_JSON_VALUES,
  MAX_QUERY_PARAMETERS,
} from './limits.ts'
import type { Environment } from './servers.ts'

/** Messages of errors that the documentation shows as examples too. Others stand where the error is thrown. */
export const MESSAGES = {
  invalid: (subject: 'body' | 'query', problems: readonly string[]) =>
    `The ${subject} is invalid: ${problems.join('; ')}.`,
  isSentTwice: (parameter: string) => `${parameter} must be sent once`,
  hostIsSentTwice: 'The request head is invalid: Host must be sent once.',
  keyIsFor: (environment: Environment, here: Environment) =>
    `This API key is for ${environment}; this is the ${here} service.`,
  noPet: (id: bigint) => `There is no animal with the identifier ${id}.`,
  methodNotAllowed: (method: string, allowed: string) =>
    `${method} is not allowed at this path. Allowed methods: ${allowed}.`,
  removed: (replacement: string) =>
    `This staging service rehearses the removal of this operation. The replacement, ${replacement}, does not look up identifiers.`,
} as const

export interface ErrorKind {
  readonly status: number
  readonly when: string
  /** The default message. Whoever throws the error may know more. */
  readonly message: string
  /** An example for the documentation, if the default message says too little. */
  readonly example?: string
  /** Its headers. `{message}` stands for the error's message; null means that each error sets its own value. */
  readonly headers?: Readonly<Partial<Record<HeaderName, string | null>>>
}

const CHALLENGE = 'Bearer realm="petstore"'
const SHORTLY = { 'Retry-After': '1' }

/** Every error that the service returns. Only this table assigns a status to a code. */
export const ERRORS = {
  malformed_json: {
    status: 400,
    when: 'The body is empty, not JSON or not UTF-8, or did not arrive completely in time.',
    message: 'The body is not valid JSON. Send one JSON object, encoded as UTF-8.',
  },
  invalid_body: {
    status: 400,
    when: `Fields are missing or invalid (the message lists all of them), or the body has more than ${MAX_JSON_VALUES} values.`,
    message: 'The body is invalid.',
    example: MESSAGES.invalid('body', ['name is required', 'categoryId is required']),
  },
  invalid_query: {
    status: 400,
    when: `A query parameter is invalid, empty, or sent more than once, or the query has more than ${MAX_QUERY_PARAMETERS} parameters.`,
    message: 'The query is invalid.',
    example: MESSAGES.invalid('query', [MESSAGES.isSentTwice('limit')]),
  },
  invalid_idempotency_key: {
    status: 400,
    when: `The Idempotency-Key header is empty, longer than ${MAX_IDEMPOTENCY_KEY_LENGTH} characters, sent twice, or contains a comma followed by a space.`,
    message: `The Idempotency-Key header must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`,
  },
  malformed_request: {
    status: 400,
    when: 'The request is not valid HTTP.',
    message: 'The request head is invalid.',
    example: MESSAGES.hostIsSentTwice,
  },
  missing_api_key: {
    status: 401,
    when: 'The request carries no bearer credentials.',
    message: 'This request needs an API key. Send it as "Authorization: Bearer <API_KEY>".',
    headers: { 'WWW-Authenticate': CHALLENGE },
  },
  invalid_api_key: {
    status: 401,
    when: 'The API key is unknown, revoked, expired, malformed, or for the other environment.',
    message: 'This API key is not accepted.',
    example: MESSAGES.keyIsFor('staging', 'production'),
    headers: {
      'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="{message}"`,
    },
  },
  pet_not_found: {
    status: 404,
    when: 'No animal has this identifier.',
    message: 'There is no animal with this identifier.',
    example: MESSAGES.noPet(42n),
  },
  route_not_found: {
    status: 404,
    when: 'Nothing is served at this path. A trailing slash makes it a different path.',
    message: 'Nothing is served at this path. The OpenAPI document is at /openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method; the Allow header lists those it does.',
    message: 'This method is not allowed at this path.',
    example: MESSAGES.methodNotAllowed('DELETE', 'GET, HEAD, POST'),
    headers: { Allow: null },
  },
  idempotency_in_progress: {
    status: 409,
    when: 'The first request with this Idempotency-Key has not finished.',
    message: 'The first request with this Idempotency-Key has not finished. Retry this one in a moment.',
    headers: SHORTLY,
  },
  operation_removed: {
    status: 410,
    when: 'The operation was removed, or a staging service rehearses its removal.',
    message: 'This operation was removed.',
    example: MESSAGES.removed(GET_PET_DEPRECATION.replacement),
  },
  precondition_failed: {
    status: 412,
    when: 'No ETag in If-Match matches the resource.',
    message: 'No ETag in If-Match matches the resource.',
  },
  body_too_large: {
    status: 413,
    when: `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`,
    message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not application/json, or it is compressed.',
    message: 'The body must be sent as "Content-Type: application/json".',
    headers: { 'Accept-Encoding': null },
  },
  idempotency_key_reused: {
    status: 422,
    when: `This API key used the Idempotency-Key for a different animal in the last ${IDEMPOTENCY_HOURS} hours.`,
    message: 'This Idempotency-Key was used for a different animal. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    when: 'This API key made more requests than the operator allows.',
    message: 'Too many requests. Try again after the number of seconds in Retry-After.',
    headers: { 'Retry-After': null },
  },
  internal_error: {
    status: 500,
    when: "An internal error; the service's log has it under the request id.",
    message: 'Something went wrong on our side. Report the X-Request-Id of this response.',
  },
  unavailable: {
    status: 503,
    when: 'Nothing was stored: the storage cannot be used, too many requests are waiting, or the service is shutting down.',
    message: 'The service cannot respond right now. Try again after the number of seconds in Retry-After.',
    headers: SHORTLY,
  },
  outcome_unknown: {
    status: 503,
    when: 'The animal may have been stored: the disk, the database or a standby did not confirm it in time. Retry with the same Idempotency-Key.',
    message:
      'The storage did not confirm in time, so the animal may or may not have been stored. Retry with the same Idempotency-Key; if you sent none, check before you retry.',
    headers: SHORTLY,
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** An example message for this code, for the documentation. */
export function exampleOf(code: ErrorCode): string {
  const { message, example = message }: ErrorKind = ERRORS[code]
  return example
}

type ErrorHeaders = Readonly<Partial<Record<HeaderName, string>>>

/** An error with a stable code, a message for the caller, and a cause for the log only. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** Headers of this error alone. */
  readonly headers: ErrorHeaders

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].message,
    { headers = {}, ...options }: { cause?: unknown; headers?: ErrorHeaders } = {},
  ) {
    super(message, options)
    this.code = code
    this.headers = headers
  }
}

export const invalid = (subject: 'body' | 'query', problems: readonly string[]): ApiError =>
  new ApiError(`invalid_${subject}`, MESSAGES.invalid(subject, problems))
