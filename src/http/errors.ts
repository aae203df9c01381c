import { ApiError, ERRORS, type ErrorBody, type ErrorCode } from '../contract/errors.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { MethodNotAllowed } from './choose-by-method.ts'
import { BodyAbandoned } from './request/receive-body.ts'

const REALM = 'Bearer realm="petstore"'
const RETRY_AFTER_SECONDS = '1'

/** The only place that renders an error body. A failure without a code of ours is a fault of ours, and says no more. */
export function errorAnswer(error: unknown, more: Readonly<Record<string, string>> = {}): Answer {
  const { code, message } = error instanceof ApiError ? error : new ApiError('internal_error')
  const { status } = ERRORS[code]
  const body = JSON.stringify({ code, message, status } satisfies ErrorBody)
  const allow = error instanceof MethodNotAllowed && { Allow: error.allow }
  return jsonAnswer(status, body, {
    'Cache-Control': 'no-store',
    ...headersOf(code, message),
    ...allow,
    ...(error instanceof BodyAbandoned && { Connection: 'close' }),
    ...more,
  })
}

function headersOf(code: ErrorCode, message: string): Record<string, string> {
  switch (code) {
    case 'missing_api_key':
      return { 'WWW-Authenticate': REALM }
    case 'invalid_api_key':
      return { 'WWW-Authenticate': `${REALM}, error="invalid_token", error_description="${message}"` }
    case 'idempotency_in_progress':
    case 'unavailable':
      return { 'Retry-After': RETRY_AFTER_SECONDS }
    default:
      return {}
  }
}
