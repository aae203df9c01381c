import type { ErrorStatuses } from './contract.generated.ts'
import { entriesOf } from './defined.ts'

/** The error codes of the service. */
export type ErrorCode = keyof ErrorStatuses
/** The codes of failures that no answer of the service describes. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'aborted'
  | 'fetch_failed'
  | 'unexpected_answer'
  | 'inexact_number'
/** Every code that an error of the client can have. */
export type PetstoreErrorCode = ErrorCode | ClientErrorCode

/** An HTTP status of an error answer. */
export type ErrorStatus = ErrorStatuses[ErrorCode]
type CodesOf<Status extends ErrorStatus> = {
  [Code in ErrorCode]: ErrorStatuses[Code] extends Status ? Code : never
}[ErrorCode]

/** The properties of an error besides its code and message. */
export interface ErrorDetails {
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined
  /** Identifies the exchange in the log of the service, if there was an answer. */
  readonly requestId?: string | undefined
  /** How long the service asked the client to wait, in milliseconds; at most a day. */
  readonly retryAfterMs?: number | undefined
  /** The headers of the answer, if there was one. */
  readonly headers?: Headers | undefined
  /** For a create: pass it again with the same animal, and the animal is added only once. */
  readonly idempotencyKey?: string | undefined
  /** For a list: the cursor of the page that could not be read. */
  readonly cursor?: string | undefined
  /** Whether the same call may succeed later. The client already retried as often as `maxRetries` and the deadline allow. */
  readonly retryable?: boolean | undefined
  /** For an unexpected answer: the first 500 characters of its body. */
  readonly body?: string | undefined
  /** For an unexpected answer: the value of its Location header. */
  readonly location?: string | undefined
  readonly cause?: unknown
}

/** The base class of all errors of the client. */
abstract class Failure<Code extends PetstoreErrorCode> extends Error implements ErrorDetails {
  declare readonly code: Code
  declare readonly status?: number | undefined
  declare readonly requestId?: string | undefined
  declare readonly retryAfterMs?: number | undefined
  declare readonly headers?: Headers | undefined
  declare readonly idempotencyKey?: string | undefined
  declare readonly cursor?: string | undefined
  declare readonly retryable: boolean

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message)
    describe(this, { code, retryable: false, ...details })
  }
}

/** Sets only properties with a known value, to keep a printed error short. Headers are not printed. */
export function describe(error: object, details: object): void {
  for (const [name, value] of entriesOf(details))
    Object.defineProperty(error, name, { value, enumerable: !/headers|cause/.test(name) })
}

/** The service cannot serve this request; repeating it does not help. */
export class InvalidRequestError extends Failure<CodesOf<400 | 405 | 410 | 412 | 413 | 415>> {
  declare readonly status: 400 | 405 | 410 | 412 | 413 | 415
  override get name() {
    return 'InvalidRequestError'
  }
}

/** The API key is missing or not accepted. */
export class AuthenticationError extends Failure<CodesOf<401>> {
  declare readonly status: 401
  override get name() {
    return 'AuthenticationError'
  }
}

/** There is no such animal. */
export class NotFoundError extends Failure<'pet_not_found'> {
  declare readonly status: 404
  override get name() {
    return 'NotFoundError'
  }
}

/** The service has no such path: `baseUrl` is probably wrong. It does not mean that an animal is missing. */
export class RouteNotFoundError extends Failure<'route_not_found'> {
  declare readonly status: 404
  override get name() {
    return 'RouteNotFoundError'
  }
}

/** The idempotency key belongs to another request. */
export class ConflictError extends Failure<CodesOf<409 | 422>> {
  declare readonly status: 409 | 422
  override get name() {
    return 'ConflictError'
  }
}

/** This API key exceeded its request limit; `retryAfterMs` says when to continue. */
export class RateLimitError extends Failure<CodesOf<429>> {
  declare readonly status: 429
  override get name() {
    return 'RateLimitError'
  }
}

/** The service failed with an internal error. */
export class ServerError extends Failure<CodesOf<500>> {
  declare readonly status: 500
  override get name() {
    return 'ServerError'
  }
}

/** The service cannot answer right now. */
export class UnavailableError extends Failure<CodesOf<503>> {
  declare readonly status: 503
  override get name() {
    return 'UnavailableError'
  }
}

/** The answer is not from the service, but from a proxy, a redirect or another server. */
export class UnexpectedAnswerError extends Failure<'unexpected_answer'> {
  /** The first 500 characters of the body. */
  declare readonly body?: string | undefined
  /** The value of the Location header. */
  declare readonly location?: string | undefined
  override get name() {
    return 'UnexpectedAnswerError'
  }
}

/** The service could not be reached, or the connection broke. `cause` has the details. */
export class ConnectionError extends Failure<'connection_failed'> {
  override get name() {
    return 'ConnectionError'
  }
}

/** No answer came in time. */
export class TimeoutError extends Failure<'timeout'> {
  override get name() {
    return 'TimeoutError'
  }
}

/** The caller's signal aborted the call; the cause is the signal's reason. The name is `AbortError`, as on the platform. */
export class AbortedError extends Failure<'aborted'> {
  override get name() {
    return 'AbortError'
  }
}

/** The `fetch` passed to the client has a bug: it threw an error that no network throws, or returned no response. */
export class FetchError extends Failure<'fetch_failed'> {
  override get name() {
    return 'FetchError'
  }
}

/** The answer contains an int64 that `int64: 'number'` cannot represent exactly. */
export class InexactNumberError extends Failure<'inexact_number'> {
  override get name() {
    return 'InexactNumberError'
  }
}

/** What every failed call throws. `switch (error.code)` narrows it. */
export type PetstoreError =
  | InvalidRequestError
  | AuthenticationError
  | NotFoundError
  | RouteNotFoundError
  | ConflictError
  | RateLimitError
  | ServerError
  | UnavailableError
  | UnexpectedAnswerError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | FetchError
  | InexactNumberError

/** `error instanceof PetstoreError` is true only for errors of the client. */
export const PetstoreError = Failure as unknown as {
  readonly prototype: PetstoreError
  new (): PetstoreError
}
