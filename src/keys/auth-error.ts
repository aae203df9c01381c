import { ApiError } from '../contract/errors.ts'
import type { Refusal } from '../observability/events.ts'

/** A 401, with its reason as one word for the metrics. */
export class Refused extends ApiError {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message?: string) {
    super(refusal === 'missing' ? 'missing_api_key' : 'invalid_api_key', message)
    this.refusal = refusal
  }
}
