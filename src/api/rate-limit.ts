import type { RateLimitPolicy } from '../config/settings.ts'

/** What remains for a key after its request was counted or refused. */
export interface RateLimitState {
  readonly isAllowed: boolean
  /** The limit, as the header names it. */
  readonly policy: string
  readonly remaining: number
  /** Whole seconds until the oldest counted request leaves the window, and another one fits. */
  readonly resetSeconds: number
}

const SWEEP_ABOVE = 1000

/** The accepted requests of a key in the window. */
interface Counted {
  /** Times in ascending order, in a ring of as many places as the quota. */
  readonly times: number[]
  oldest: number
  count: number
  newestTime: number
}

/**
 * Counts requests by key, exactly: no interval of the window's length has more accepted requests than the quota. A refused request is not
 * counted, so a client that waits as told is accepted. Times are those of the monotonic clock.
 */
export class RateLimiter {
  readonly #policy: string
  readonly #quota: number
  readonly #windowMs: number
  readonly #keys = new Map<string, Counted>()

  constructor({ quota, windowSeconds }: RateLimitPolicy) {
    this.#quota = quota
    this.#windowMs = windowSeconds * 1000
    this.#policy = `"default";q=${quota};w=${windowSeconds}`
  }

  take(keyId: string, now: number): RateLimitState {
    const start = now - this.#windowMs
    const counted = this.#countedOf(keyId, start)
    const { times } = counted
    while (counted.count > 0 && (times[counted.oldest] ?? 0) <= start) {
      counted.oldest = (counted.oldest + 1) % this.#quota
      counted.count--
    }
    const isAllowed = counted.count < this.#quota
    if (isAllowed) {
      times[(counted.oldest + counted.count++) % this.#quota] = now
      counted.newestTime = now
    }
    return {
      isAllowed,
      policy: this.#policy,
      remaining: this.#quota - counted.count,
      resetSeconds: Math.max(1, Math.ceil(((times[counted.oldest] ?? 0) - start) / 1000)),
    }
  }

  #countedOf(keyId: string, start: number): Counted {
    const known = this.#keys.get(keyId)
    if (known !== undefined) return known
    // Forget keys that have no counted requests left.
    if (this.#keys.size >= SWEEP_ABOVE)
      for (const [id, { newestTime }] of this.#keys) if (newestTime <= start) this.#keys.delete(id)
    const fresh = { times: [], oldest: 0, count: 0, newestTime: 0 }
    this.#keys.set(keyId, fresh)
    return fresh
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export function setRateLimitHeaders(
  headers: Headers,
  { policy, isAllowed, remaining, resetSeconds }: RateLimitState,
): void {
  headers.set('RateLimit-Policy', policy)
  headers.set('RateLimit', `"default";r=${remaining};t=${resetSeconds}`)
  if (!isAllowed) headers.set('Retry-After', String(resetSeconds))
}
