import { PetstoreError, type PetstoreErrorCode } from '../../client/src/index.ts'
import { OperatorError } from '../operator-error.ts'
import { printable } from './printable.ts'

const FAILURE = 1
export const USAGE = 2
const NOT_FOUND = 3
const UNAUTHORISED = 4
const UNAVAILABLE = 5
export const IN_PART = 6

export const EXIT_CODES = `
Exit codes:
  0  done
  1  failed for another reason; nothing a repeat would mend
  2  the command, a setting or the animal is invalid
  3  there is no such animal
  4  the API key is not accepted
  5  no answer: unreachable, overloaded or too late; try again later
  6  imported without the lines that are bad (--continue)`

/** A route that is not found is no 3: the server is not the one that was meant, which says nothing about the animal. */
const EXIT_CODE_BY_CODE: Partial<Record<PetstoreErrorCode, number>> = {
  invalid_body: USAGE,
  invalid_query: USAGE,
  invalid_idempotency_key: USAGE,
  body_too_large: USAGE,
  idempotency_key_reused: USAGE,
  pet_not_found: NOT_FOUND,
  missing_api_key: UNAUTHORISED,
  invalid_api_key: UNAUTHORISED,
  idempotency_in_progress: UNAVAILABLE,
  rate_limited: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  connection_failed: UNAVAILABLE,
  timeout: UNAVAILABLE,
}

/** One line with the code, the message and the request id, and the exit code. */
export function failureOf(error: unknown): unknown {
  if (error instanceof OperatorError)
    return new OperatorError(error.message, { cause: error, exitCode: USAGE })
  if (!(error instanceof PetstoreError)) return error
  const request = error.requestId ? ` (request id ${error.requestId})` : ''
  return new OperatorError(printable(`${error.code}: ${error.message}${request}`), {
    cause: error,
    exitCode: EXIT_CODE_BY_CODE[error.code] ?? FAILURE,
  })
}
