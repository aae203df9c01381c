import type { ResponseInfo } from './call.ts'
import {
  type ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  OutcomeUnknownError,
  type PetstoreError,
  RateLimitError,
  RouteNotFoundError,
  ServerError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
import { parseJson } from './pet-json.ts'
import type { Request } from './request.ts'

const EXCERPT_LENGTH = 500
const FIRST_WAIT_MS = 250
const LONGEST_BACKOFF_MS = 8000
/** The longest Retry-After that is waited for; after a longer one, a call fails immediately. */
export const LONGEST_RETRY_AFTER_MS = 60_000
const DAY_MS = 86_400_000

const CLASS_BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  404: RouteNotFoundError,
  409: ConflictError,
  422: ConflictError,
  429: RateLimitError,
  503: UnavailableError,
}

function classOf(status: number, code: string): typeof ApiError {
  if (code === 'pet_not_found') return NotFoundError
  if (code === 'outcome_unknown') return OutcomeUnknownError
  return CLASS_BY_STATUS[status] ?? (status < 500 ? InvalidRequestError : ServerError)
}

/** The data of a response, or the error that it describes. The API key is removed from text that errors show. */
export function dataOf<Data>(
  { status, headers, requestId }: ResponseInfo,
  text: string,
  redact: (text: string) => string,
  { operation, read, withoutBody }: Request<Data>,
): Data {
  const empty = withoutBody?.(status)
  if (empty) return empty.data
  const details = { status, headers, requestId, retryAfterMs: retryAfterOf(headers) }
  const shown = redact(text)
  const unexpected = (what: string, retryable: boolean) =>
    new UnexpectedAnswerError('unexpected_answer', `Unexpected response with status ${status}: ${what}.`, {
      ...details,
      retryable,
      body: shown.slice(0, EXCERPT_LENGTH),
      location: redact(headers.get('location') ?? '') || undefined,
    })

  const isGood = status >= 200 && status < 300
  let body: unknown
  try {
    body = parseJson(isGood ? text : shown)
  } catch {}
  if (!isGood) {
    const { code, message } = Object(body) as { code?: unknown; message?: unknown }
    const retryable = isPassing(status, code)
    if (status === 304) throw unexpected('for conditional reads, use the option ifNoneMatch', false)
    if (status < 400 || typeof code !== 'string' || typeof message !== 'string')
      throw unexpected(text ? 'it did not come from the service' : 'it has no body', retryable)
    const type = classOf(status, code)
    const advice = type === RouteNotFoundError && operation !== 'request' ? ' Check baseUrl.' : ''
    throw new type(code, message + advice, { ...details, retryable })
  }
  // A request to any path may not be safe to repeat once it has a response.
  if (body === undefined) throw unexpected('its body is not JSON, or was cut short', operation !== 'request')
  const data = read(body, headers)
  if (data === undefined) throw unexpected('its body does not have the documented shape', false)
  return data
}

/**
 * Temporary failures of the service or of a proxy in front of it. 409 with this code means that an earlier attempt is still in
 * progress.
 */
const isPassing = (status: number, code: unknown): boolean =>
  /^(408|425|429|50[0234]|52[0-4])$/.test(`${status}`) || code === 'idempotency_in_progress'

/** Increases with each retry, has a random part, and is never shorter than the service requested. */
export function waitAfter(attempt: number, { retryAfterMs = 0 }: PetstoreError): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return retryAfterMs + (backoff * (1 + Math.random())) / 2
}

/** Retry-After in milliseconds. The header contains seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? +text * 1000 : Date.parse(text) - Date.now()
  return ms >= 0 ? Math.min(ms, DAY_MS) : undefined
}
