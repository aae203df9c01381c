import type { ErrorStatuses } from './contract.generated.ts'

/** The codes that the service answers with. */
export type ErrorCode = keyof ErrorStatuses
/** The codes of failures that no answer of the service describes. */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'aborted' | 'unexpected_answer'
export type PetstoreErrorCode = ErrorCode | ClientErrorCode

type ErrorStatus = ErrorStatuses[ErrorCode]
type CodesOf<Status extends ErrorStatus> = {
  [Code in ErrorCode]: ErrorStatuses[Code] extends Status ? Code : never
}[ErrorCode]

export interface ErrorDetails {
  status?: number | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** What every failed call throws. */
export class PetstoreError extends Error {
  override name = 'PetstoreError'
  readonly code: PetstoreErrorCode
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined
  /** Names the exchange in the log of the service, when there was an answer. */
  readonly requestId: string | undefined
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: PetstoreErrorCode,
    message: string,
    { status, requestId, retryAfterMs, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** The request cannot be served as it is: repeating it will not help. */
export class InvalidRequestError extends PetstoreError {
  override name = 'InvalidRequestError'
  declare readonly code: CodesOf<400 | 405 | 410 | 413 | 415>
}

/** The API key is missing or not accepted. */
export class AuthenticationError extends PetstoreError {
  override name = 'AuthenticationError'
  declare readonly code: CodesOf<401>
}

export class NotFoundError extends PetstoreError {
  override name = 'NotFoundError'
  declare readonly code: CodesOf<404>
}

/** The idempotency key belongs to another request. */
export class ConflictError extends PetstoreError {
  override name = 'ConflictError'
  declare readonly code: CodesOf<409 | 422>
}

export class RateLimitError extends PetstoreError {
  override name = 'RateLimitError'
  declare readonly code: CodesOf<429>
}

/** A fault of the service. */
export class ServerError extends PetstoreError {
  override name = 'ServerError'
  declare readonly code: CodesOf<500>
}

/** The service cannot answer right now. */
export class UnavailableError extends PetstoreError {
  override name = 'UnavailableError'
  declare readonly code: CodesOf<503>
}

/** Something answered, but not as the service does: a proxy, a redirect, another server. */
export class UnexpectedAnswerError extends PetstoreError {
  override name = 'UnexpectedAnswerError'
  declare readonly code: 'unexpected_answer'
}

/** The service could not be reached, or the connection broke. The cause tells more. */
export class ConnectionError extends PetstoreError {
  override name = 'ConnectionError'
  declare readonly code: 'connection_failed'
}

/** No answer came in time. */
export class TimeoutError extends PetstoreError {
  override name = 'TimeoutError'
  declare readonly code: 'timeout'
}

/** The caller's signal ended the call; the cause is the signal's reason. */
export class AbortedError extends PetstoreError {
  override name = 'AbortedError'
  declare readonly code: 'aborted'
}

/** A status that the contract gains and this table lacks fails the type check. */
const KIND_BY_STATUS = {
  400: InvalidRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  405: InvalidRequestError,
  409: ConflictError,
  // Not a NotFoundError: it says nothing about the animal.
  410: InvalidRequestError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: ConflictError,
  429: RateLimitError,
  500: ServerError,
  503: UnavailableError,
} satisfies Record<ErrorStatus, unknown>

type Kind = new (code: PetstoreErrorCode, message: string, details: ErrorDetails) => PetstoreError

/** The error that an answer describes. */
export function errorOf(body: unknown, status: number, details: ErrorDetails): PetstoreError {
  const { code, message } = (body ?? {}) as { code?: ErrorCode; message?: string }
  const kind = (KIND_BY_STATUS as Partial<Record<number, unknown>>)[status] as Kind | undefined
  if (kind && typeof code === 'string' && typeof message === 'string')
    return new kind(code, message, { ...details, status })
  return new UnexpectedAnswerError(
    'unexpected_answer',
    `This is no answer of a petstore (status ${status}).`,
    {
      ...details,
      status,
    },
  )
}
