import {
  AuthenticationError,
  ConflictError,
  type ErrorDetails,
  type ErrorStatus,
  InexactNumberError,
  InvalidRequestError,
  NotFoundError,
  type PetstoreError,
  RateLimitError,
  RouteNotFoundError,
  ServerError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../errors.ts'
import { parseJson } from '../json.ts'
import type { ResponseInfo } from './call.ts'
import { isPassing, retryAfterOf } from './retry.ts'

const EXCERPT_LENGTH = 500

/** The type check fails if the contract gains a status that this table lacks. */
const KIND_BY_STATUS = {
  400: InvalidRequestError,
  401: AuthenticationError,
  404: RouteNotFoundError,
  405: InvalidRequestError,
  409: ConflictError,
  // Not a NotFoundError: the operation is gone, not the animal.
  410: InvalidRequestError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  412: InvalidRequestError,
  422: ConflictError,
  429: RateLimitError,
  500: ServerError,
  503: UnavailableError,
} satisfies Record<ErrorStatus, unknown>

type Kind = new (code: string, message: string, details: ErrorDetails) => PetstoreError

/** Returns undefined for a body of the wrong shape. Throws a RangeError if a number would be inexact. */
export type Read<Data> = (body: unknown, headers: Headers) => Data | undefined

/** The data of an answer, or the error that it describes. The API key is removed from the text that errors show. */
export function dataOf<Data>(
  { status, headers, requestId }: ResponseInfo,
  text: string,
  redact: (text: string) => string,
  read: Read<Data>,
): Data {
  const details = { status, headers, requestId, retryAfterMs: retryAfterOf(headers) }
  const shown = redact(text)
  const unexpected = (what: string, retryable: boolean) =>
    new UnexpectedAnswerError('unexpected_answer', `Unexpected answer with status ${status}: ${what}.`, {
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
    const byStatus = (KIND_BY_STATUS as Partial<Record<number, unknown>>)[status]
    if (!byStatus || typeof code !== 'string' || typeof message !== 'string')
      throw unexpected('not of a petstore', retryable)
    const kind = (code === 'pet_not_found' ? NotFoundError : byStatus) as Kind
    const advice = kind === RouteNotFoundError ? ' Check baseUrl.' : ''
    throw new kind(code, message + advice, { ...details, retryable })
  }
  if (body === undefined) throw unexpected('not JSON, or cut short', true)
  let data: Data | undefined
  try {
    data = read(body, headers)
  } catch (cause) {
    throw new InexactNumberError('inexact_number', (cause as Error).message, details)
  }
  if (data === undefined) throw unexpected('not of the promised shape', false)
  return data
}
