import { ApiError } from '../contract/errors.ts'
import type { AuthFailure } from '../observability/events.ts'

/** A 401, with its reason as one word for the log and the metrics. */
export class AuthError extends ApiError {
  readonly failure: AuthFailure

  constructor(failure: AuthFailure, message?: string) {
    super(failure === 'missing' ? 'missing_api_key' : 'invalid_api_key', message)
    this.failure = failure
  }
}
