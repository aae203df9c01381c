import { ApiError, ERRORS, type ErrorBody, type ErrorCode, type ErrorKind } from '../contract/errors.ts'
import type { HeaderName } from '../contract/headers.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import type { HeaderValues } from './response/kept-headers.ts'

/** A failure with its own values for the headers of its row in the contract. */
export class HttpError extends ApiError {
  readonly headers: Partial<Record<HeaderName, string>>

  constructor(code: ErrorCode, message: string | undefined, headers: Partial<Record<HeaderName, string>>) {
    super(code, message)
    this.headers = headers
  }
}

/** The only place that renders an error body. An error without one of our codes is a bug; its body has no details. */
export function errorAnswer(error: unknown, more: HeaderValues = {}): Answer {
  const { code, message } = error instanceof ApiError ? error : new ApiError('internal_error')
  const { status, headers = {} }: ErrorKind = ERRORS[code]
  const body = JSON.stringify({ code, message, status } satisfies ErrorBody)
  const carried = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, (value ?? '').replace('{message}', () => message)])
  return jsonAnswer(status, body, {
    'Cache-Control': 'no-store',
    ...Object.fromEntries(carried),
    ...(error instanceof HttpError && error.headers),
    ...more,
  })
}
