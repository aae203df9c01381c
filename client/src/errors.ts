import type { ErrorCode } from './contract.generated.ts'

/** The codes of failures that no answer of the service describes. */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'aborted' | 'unexpected_answer'
/** The known codes of an error, and any that a later release of the service may add: treat those by their `status`. */
export type PetstoreErrorCode = ErrorCode | ClientErrorCode | (string & {})

/** The properties of an error besides its code and message. */
export type ErrorDetails = Partial<Omit<PetstoreError, keyof Error | 'code'>> & { readonly cause?: unknown }

/** Shared by all copies of this package in a process. */
const KINDS = Symbol.for('@petstore/client/kinds')

/** What every failed call throws. */
export class PetstoreError extends Error {
  /** The name of the class, which a minifier leaves alone. */
  static readonly kind: string = 'PetstoreError'
  /**
   * From the service: `malformed_json`, `invalid_body`, `invalid_query`, `invalid_idempotency_key`, `malformed_request`,
   * `missing_api_key`, `invalid_api_key`, `pet_not_found`, `route_not_found`, `method_not_allowed`, `idempotency_in_progress`,
   * `operation_removed`, `precondition_failed`, `body_too_large`, `unsupported_media_type`, `idempotency_key_reused`,
   * `rate_limited`, `internal_error`, `unavailable`; a later release may add codes: treat those by their `status`.
   *
   * From the client: `connection_failed`, `timeout`, `aborted`, `unexpected_answer`.
   */
  declare readonly code: PetstoreErrorCode
  /** The HTTP status, if there was an answer. */
  declare readonly status?: number | undefined
  /** Identifies the request in the log of the service, if there was an answer. */
  declare readonly requestId?: string | undefined
  /** How long the service asked the client to wait, in milliseconds; at most a day. */
  declare readonly retryAfterMs?: number | undefined
  /** The headers of the answer, if there was one. */
  declare readonly headers?: Headers | undefined
  /** For a create: pass it again with the same animal, and the animal is added only once. */
  declare readonly idempotencyKey?: string | undefined
  /** For a list: the cursor of the page that could not be read. */
  declare readonly cursor?: string | undefined
  /** Whether the same call may succeed later. The client already retried as often as `maxRetries` and the deadline allow. */
  declare readonly retryable: boolean
  /** For an unexpected answer: the first 500 characters of its body. */
  declare readonly body?: string | undefined
  /** For an unexpected answer: the value of its Location header. */
  declare readonly location?: string | undefined

  constructor(code: PetstoreErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    describe(this, { code, retryable: false, ...details })
  }

  override get name(): string {
    return `${this[KINDS][0]}`
  }

  /** The class of this error and those above it. */
  get [KINDS](): string[] {
    const kinds: string[] = []
    let type = this.constructor as typeof PetstoreError
    for (; type.kind; type = Object.getPrototypeOf(type)) kinds.push(type.kind)
    return kinds
  }

  static override readonly [Symbol.hasInstance]: (value: unknown) => boolean = isInstance
}

/** An error of a copy of this package loaded by `import` is one of a copy loaded by `require`, and the reverse. */
function isInstance(this: typeof PetstoreError, value: unknown): boolean {
  // A class of the caller has no kind of its own.
  if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value)
  return !!Object(value)[KINDS]?.includes(this.kind)
}

/** Sets only properties with a known value, to keep a printed error short. Headers are not printed. */
export function describe(error: object, details: object): void {
  for (const [name, value] of entriesOf(details))
    Object.defineProperty(error, name, { value, enumerable: !/headers|cause/.test(name) })
}

/** The entries of an object that are not undefined: an option set to undefined counts as omitted. */
export const entriesOf = (object: object = {}): [string, unknown][] =>
  Object.entries(object).filter(([, value]) => value !== undefined)

/** The service answered with an error. Its class tells the kind; `code` and `status` tell it exactly. */
export class ApiError extends PetstoreError {
  static override readonly kind: string = 'ApiError'
  declare readonly status: number
}

/** The service cannot serve this request; repeating it does not help. */
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
}

/** The service has no such path: `baseUrl` is probably wrong. It does not mean that an animal is missing. */
export class RouteNotFoundError extends ApiError {
  static override readonly kind = 'RouteNotFoundError'
}

/** The idempotency key belongs to another request. */
export class ConflictError extends ApiError {
  static override readonly kind = 'ConflictError'
}

/** This API key exceeded its request limit; `retryAfterMs` says when to continue. */
export class RateLimitError extends ApiError {
  static override readonly kind = 'RateLimitError'
}

/** The service failed with an internal error. */
export class ServerError extends ApiError {
  static override readonly kind = 'ServerError'
}

/** The service cannot answer right now. */
export class UnavailableError extends ApiError {
  static override readonly kind = 'UnavailableError'
}

/** The answer is not from the service, but from a proxy, a redirect or another server. */
export class UnexpectedAnswerError extends PetstoreError {
  static override readonly kind = 'UnexpectedAnswerError'
}

/** The service could not be reached, or the connection broke. `cause` has what `fetch` threw. */
export class ConnectionError extends PetstoreError {
  static override readonly kind = 'ConnectionError'
}

/** No answer came in time. */
export class TimeoutError extends PetstoreError {
  static override readonly kind = 'TimeoutError'
}

/** The caller's signal aborted the call; the cause is the signal's reason. The name is `AbortError`, as on the platform. */
export class AbortedError extends PetstoreError {
  static override readonly kind = 'AbortedError'
  override get name() {
    return 'AbortError'
  }
}
