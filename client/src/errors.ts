import type { ErrorStatuses } from './contract.generated.ts'
import { entriesOf } from './defined.ts'

/** The codes that the service answers with. */
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

/** A status that the service answers an error with. */
export type ErrorStatus = ErrorStatuses[ErrorCode]
type CodesOf<Status extends ErrorStatus> = {
  [Code in ErrorCode]: ErrorStatuses[Code] extends Status ? Code : never
}[ErrorCode]

/** What an error has in addition to its code and message. */
export interface ErrorDetails {
  /** The HTTP status, when there was an answer. */
  readonly status?: number | undefined
  /** Names the exchange in the log of the service, when there was an answer. */
  readonly requestId?: string | undefined
  /** How long the service asked to wait, in milliseconds; a day at most. */
  readonly retryAfterMs?: number | undefined
  /** The headers of the answer, when there was one. */
  readonly headers?: Headers | undefined
  /** Of a create: pass it with the same animal, and a repeat adds nothing that is there already. */
  readonly idempotencyKey?: string | undefined
  /** Of a list: the cursor of the page that could not be read. */
  readonly cursor?: string | undefined
  /** Whether the same call may succeed later. It has been repeated already, as often as `maxRetries` and the deadline allow. */
  readonly retryable?: boolean | undefined
  /** Of an unexpected answer: how its body begins, 500 characters at most. */
  readonly body?: string | undefined
  /** Of an unexpected answer: where it points to. */
  readonly location?: string | undefined
  readonly cause?: unknown
}

/** The ground of all errors of the client. */
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

/** Only what is known becomes a property, so that a printed error is short; its headers are not printed. */
export function describe(error: object, details: object): void {
  for (const [name, value] of entriesOf(details))
    Object.defineProperty(error, name, { value, enumerable: !/headers|cause/.test(name) })
}

/** The request cannot be served as it is: repeating it will not help. */
export class InvalidRequestError extends Failure<CodesOf<400 | 405 | 410 | 413 | 415 | 417>> {
  declare readonly status: 400 | 405 | 410 | 413 | 415 | 417
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

/** The service has no such path: `baseUrl` is probably wrong. It says nothing about an animal. */
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

/** This API key made more requests than it may; `retryAfterMs` says when to continue. */
export class RateLimitError extends Failure<CodesOf<429>> {
  declare readonly status: 429
  override get name() {
    return 'RateLimitError'
  }
}

/** A fault of the service. */
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

/** Something answered, but not as the service does: a proxy, a redirect, another server. */
export class UnexpectedAnswerError extends Failure<'unexpected_answer'> {
  /** How the body begins, 500 characters at most. */
  declare readonly body?: string | undefined
  /** Where the answer points to. */
  declare readonly location?: string | undefined
  override get name() {
    return 'UnexpectedAnswerError'
  }
}

/** The service could not be reached, or the connection broke. See the cause. */
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

/** The caller's signal ended the call; the cause is the signal's reason. Its name is `AbortError`, as on the platform. */
export class AbortedError extends Failure<'aborted'> {
  override get name() {
    return 'AbortError'
  }
}

/** The `fetch` that was passed to the client has a fault: it threw what no network throws, or gave no response. */
export class FetchError extends Failure<'fetch_failed'> {
  override get name() {
    return 'FetchError'
  }
}

/** The answer holds an int64 that the client's `int64: 'number'` cannot hold exactly. */
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

/** `error instanceof PetstoreError` holds for the errors of the client and no others. */
export const PetstoreError = Failure as unknown as {
  readonly prototype: PetstoreError
  new (): PetstoreError
}
