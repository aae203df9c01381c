import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'

/** The storage cannot do it, and did nothing. */
export const unavailable = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.storageIsAway, { cause })

/** Neither done nor refused: the answer of the storage did not come. It may still do what it was asked. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.outcomeIsUnknown, { cause })

export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable'
