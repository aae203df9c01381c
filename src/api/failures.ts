import { ApiError, MESSAGES } from '../contract/errors.ts'
import type { Environment } from '../contract/servers.ts'
import { KeyRejected } from '../keys/key-ring.ts'
import { OutcomeUnknown, StorageUnavailable, TROUBLES } from '../store/errors.ts'

/** Translates errors from below the edge. Any other error is a bug, whose details no client sees. */
export function apiErrorOf(error: unknown, request: Request, here: Environment): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof KeyRejected) return rejectedKey(error, request, here)
  // Only a create can have been stored.
  if (error instanceof OutcomeUnknown && request.method === 'POST')
    return new ApiError('outcome_unknown', undefined, { cause: error })
  if (error instanceof StorageUnavailable)
    return new ApiError('unavailable', `The storage cannot be used: ${TROUBLES[error.trouble]}.`, {
      cause: error,
    })
  return new ApiError('internal_error', undefined, { cause: error })
}

const REJECTIONS = {
  malformed: 'This is not a well-formed API key. Check it for a typing mistake.',
  unknown: 'This API key is unknown.',
  revoked: 'This API key was revoked.',
  expired: 'This API key has expired.',
  other_environment: undefined,
} as const

function rejectedKey({ failure, environment }: KeyRejected, request: Request, here: Environment): ApiError {
  if (failure === 'missing') return new ApiError('missing_api_key')
  if (environment !== undefined) return new ApiError('invalid_api_key', MESSAGES.keyIsFor(environment, here))
  // The runtime joins two header lines with a comma and a space.
  const isSentTwice = failure === 'malformed' && request.headers.get('authorization')?.includes(', ')
  const twice = 'The Authorization header must be sent once, with one API key.'
  return new ApiError('invalid_api_key', isSentTwice ? twice : REJECTIONS[failure])
}
