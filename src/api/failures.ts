import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Environment } from '../contract/servers.ts'
import { KeyRefused } from '../keys/key-ring.ts'
import { OutcomeUnknown, StorageUnavailable, TROUBLES } from '../store/errors.ts'

/** Translates errors from below the edge. Any other error is a bug, whose details no client sees. */
export function apiErrorOf(error: unknown, request: Request, here: Environment): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof KeyRefused) return rejectedKey(error, request, here)
  // Only a create can have been stored.
  if (error instanceof OutcomeUnknown && request.method === 'POST')
    return new ApiError('outcome_unknown', undefined, { cause: error })
  if (error instanceof StorageUnavailable)
    return new ApiError('unavailable', MESSAGES.storageIsAway(TROUBLES[error.trouble]), { cause: error })
  return new ApiError('internal_error', undefined, { cause: error })
}

function rejectedKey({ failure, environment }: KeyRefused, request: Request, here: Environment): ApiError {
  if (failure === 'missing') return new ApiError('missing_api_key')
  // The runtime joins two header lines with a comma and a space.
  const isSentTwice = failure === 'malformed' && request.headers.get('authorization')?.includes(', ')
  if (isSentTwice) return new ApiError('invalid_api_key', MESSAGES.authorizationIsSentTwice)
  if (environment !== undefined) return new ApiError('invalid_api_key', MESSAGES.keyIsFor(environment, here))
  return new ApiError('invalid_api_key', REJECTIONS[failure])
}

const REJECTIONS = {
  malformed: MESSAGES.keyIsMalformed,
  unknown: MESSAGES.keyIsUnknown,
  revoked: MESSAGES.keyIsRevoked,
  expired: MESSAGES.keyIsExpired,
  other_environment: undefined,
} as const
