import type { ErrorCode } from './contract.generated.ts'

/** Codes of failures that no response from the service describes. */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'aborted' | 'unexpected_answer'
/** All known error codes. A later release of the service may add others; handle those by their `status`. */
export type PetstoreErrorCode = ErrorCode | ClientErrorCode | (string & {})

/** The properties of an error besides its code and message. */
export type ErrorDetails = Partial<Omit<PetstoreError, keyof Error | 'code'>> & { readonly cause?: unknown }

/** The error that every failed call throws. */
export class PetstoreError extends Error {
  /** The `name` of the class's errors, which minifiers do not change. */
  static readonly kind: string = 'PetstoreError'
  /**
   * From the service: `malformed_json`, `invalid_body`, `invalid_query`, `invalid_idempotency_key`, `malformed_request`,
   * `missing_api_key`, `invalid_api_key`, `pet_not_found`, `route_not_found`, `method_not_allowed`, `idempotency_in_progress`,
   * `operation_removed`, `precondition_failed`, `body_too_large`, `unsupported_media_type`, `idempotency_key_reused`,
   * `rate_limited`, `internal_error`, `unavailable`, `outcome_unknown`. A later release may add codes; handle those by their `status`.
   *
   * From the client: `connection_failed`, `timeout`, `aborted`, `unexpected_answer`.
   */
  declare readonly code: PetstoreErrorCode
  /** The HTTP status, if there was a response. */
  declare readonly status?: number | undefined
  /** Identifies the request in the service's log, if there was a response. */
  declare readonly requestId?: string | undefined
  /** How long the service asked the client to wait, in milliseconds; at most a day. */
  declare readonly retryAfterMs?: number | undefined
  /** The headers of the response, if there was one. */
  declare readonly headers?: Headers | undefined
  /** For a create: pass it again with the same animal, and the animal is added only once. */
  declare readonly idempotencyKey?: string | undefined
  /** For a request with a body, such as a create: whether this or an earlier attempt may have succeeded nevertheless. */
  declare readonly outcomeUnknown?: boolean | undefined
  /** For a list: the cursor of the page that could not be read. */
  declare readonly cursor?: string | undefined
  /** Whether the same call may succeed later. The client already retried as often as `maxRetries` and the deadline allow. */
  declare readonly retryable: boolean
  /** For a lost connection or an aborted call: what `fetch` threw, or the signal's reason. */
  declare readonly cause?: unknown
  /** For an unexpected response: the first 500 characters of its body. */
  declare readonly body?: string | undefined
  /** For an unexpected response: the value of its Location header. */
  declare readonly location?: string | undefined

  constructor(code: PetstoreErrorCode, message: string, details?: ErrorDetails) {
    super(message)
    describe(this, { code, retryable: false, ...details })
  }

  override get name(): string {
    return (this.constructor as typeof PetstoreError).kind
  }
}

/** Sets only properties with a known value, to keep printed errors short. Headers are not printed. */
export function describe(error: object, details?: object): void {
  for (const [name, value] of entriesOf(details))
    Object.defineProperty(error, name, { value, enumerable: !/headers|cause/.test(name) })
}

/** The entries of an object that are not undefined: an option set to undefined counts as omitted. */
export const entriesOf = (object: object = {}): [string, unknown][] =>
  Object.entries(object).filter(([, value]) => value !== undefined)

/** Drops options that are set to undefined. */
export const definedOf = <Options extends object>(options: Options): Defined<Options> =>
  Object.fromEntries(entriesOf(options)) as Defined<Options>

type Defined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> }

/**
 * The service returned an error. Its class gives the general kind; `code` and `status` are exact. A class with one code is typed
 * with it, although a later release of the service may send another.
 */
export class ApiError extends PetstoreError {
  static override readonly kind: string = 'ApiError'
  declare readonly status: number
}

/** The service rejects this request; retrying it does not help. */
export class InvalidRequestError extends ApiError {
  static override readonly kind = 'InvalidRequestError'
}

/** The API key is missing or not accepted. */
export class AuthenticationError extends ApiError {
  static override readonly kind = 'AuthenticationError'
}

/** There is no such animal. */
export class NotFoundError extends ApiError {
  static override readonly kind = 'NotFoundError'
  declare readonly code: 'pet_not_found'
}

/** The service has no such path: `baseUrl` or the path of a `request` is wrong. It does not mean that an animal is missing. */
export class RouteNotFoundError extends ApiError {
  static override readonly kind = 'RouteNotFoundError'
  declare readonly code: 'route_not_found'
}

/** The idempotency key was used for a different animal, or its first request is still in progress. */
export class ConflictError extends ApiError {
  static override readonly kind = 'ConflictError'
}

/** This API key exceeded its request limit; `retryAfterMs` says when to continue. */
export class RateLimitError extends ApiError {
  static override readonly kind = 'RateLimitError'
  declare readonly code: 'rate_limited'
}

/** The service failed with an internal error. */
export class ServerError extends ApiError {
  static override readonly kind = 'ServerError'
  declare readonly code: 'internal_error'
}

/** The service cannot respond right now, and stored nothing. */
export class UnavailableError extends ApiError {
  static override readonly kind = 'UnavailableError'
  declare readonly code: 'unavailable'
}

/** The animal may have been stored. Pass `idempotencyKey` again with the same animal to find out and add it only once. */
export class OutcomeUnknownError extends ApiError {
  static override readonly kind = 'OutcomeUnknownError'
  declare readonly code: 'outcome_unknown'
}

/** The response did not come from the service, but from a proxy, a redirect or another server. */
export class UnexpectedAnswerError extends PetstoreError {
  static override readonly kind = 'UnexpectedAnswerError'
  declare readonly code: 'unexpected_answer'
}

/** The service could not be reached, or the connection broke. `cause` is the error that `fetch` threw. */
export class ConnectionError extends PetstoreError {
  static override readonly kind = 'ConnectionError'
  declare readonly code: 'connection_failed'
}

/** No response arrived in time. The message has the limit and the attempt. */
export class TimeoutError extends PetstoreError {
  static override readonly kind = 'TimeoutError'
  declare readonly code: 'timeout'
}

/** The caller's signal aborted the call; the cause is the signal's reason. The name is `AbortError`, as on the platform. */
export class AbortedError extends PetstoreError {
  static override readonly kind = 'AbortError'
  declare readonly code: 'aborted'
}
