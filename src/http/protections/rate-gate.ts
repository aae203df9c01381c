import type { RateLimitPolicy } from '../../config/settings.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { HeaderValues } from '../response/kept-headers.ts'
import { RateLimiter, type Standing } from './rate-limit.ts'

/** Accepts requests of a key as often as the operator allows. */
export class RateGate {
  readonly #limiter: RateLimiter

  constructor(limit: RateLimitPolicy) {
    this.#limiter = new RateLimiter(limit)
  }

  /** Counts a request of this key; throws a 429 if it is one too many. */
  admit(exchange: Exchange, keyId: string): void {
    exchange.standing = this.#limiter.take(keyId, performance.now())
    if (!exchange.standing.isAllowed) throw new ApiError('rate_limited')
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitHeaders = ({ policy, isAllowed, remaining, resetSeconds }: Standing): HeaderValues => ({
  'RateLimit-Policy': policy,
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
  ...(!isAllowed && { 'Retry-After': String(resetSeconds) }),
})
