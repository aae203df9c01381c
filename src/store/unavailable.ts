import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'

/** The storage cannot do it and did nothing. */
export const unavailable = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.storageIsAway, { cause })

/** The storage did not answer, so the outcome is unknown. It may still do the work. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.outcomeIsUnknown, { cause })

export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable'
