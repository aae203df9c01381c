import { PetstoreError, type PetstoreErrorCode } from '../../../client/src/index.ts'
import type { Exit } from '../../exit-codes.ts'
import { codeOf, OperatorError } from '../../operator-error.ts'
import { printable } from '../terminal/printable.ts'

/** A missing route is a failure: it is the wrong server, and says nothing about the animal. */
const EXIT_BY_CODE: Partial<Record<PetstoreErrorCode, Exit>> = {
  invalid_body: 'invalid',
  invalid_query: 'invalid',
  invalid_idempotency_key: 'invalid',
  body_too_large: 'invalid',
  idempotency_key_reused: 'invalid',
  pet_not_found: 'missing',
  missing_api_key: 'unauthorised',
  invalid_api_key: 'unauthorised',
  idempotency_in_progress: 'unavailable',
  rate_limited: 'unavailable',
  unavailable: 'unavailable',
  connection_failed: 'unavailable',
  timeout: 'unavailable',
}

/** One line with the code, the message and the request id or the reason, and the exit code. */
export function asOperatorError(error: unknown): unknown {
  if (!(error instanceof PetstoreError)) return error
  // Without a response, the system's code tells a port where nothing listens from a certificate that is not trusted.
  const detail = error.requestId ? `request id ${error.requestId}` : codeOf(error.cause)
  const text = `${error.code}: ${error.message}${detail && ` (${detail})`}`
  return new OperatorError(printable(text), {
    cause: error,
    exit: EXIT_BY_CODE[error.code] ?? 'failed',
  })
}
