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

/**
 * Counts requests by key, exactly: no interval of the window's length has more accepted requests than the quota. A refused request is not
 * counted, so a client that waits as told is accepted. Times are those of the monotonic clock.
 */
export class RateLimiter {
  readonly #policy: string
  readonly #limit: RateLimitPolicy
  readonly #keys = new Map<string, Times>()

  constructor(limit: RateLimitPolicy) {
    this.#limit = limit
    this.#policy = `"default";q=${limit.quota};w=${limit.windowSeconds}`
  }

  take(keyId: string, now: number): RateLimitState {
    const { quota, windowSeconds } = this.#limit
    const windowMs = windowSeconds * 1000
    const times = this.#timesOf(keyId, now - windowMs)
    times.dropUntil(now - windowMs)
    const isAllowed = times.count < quota
    if (isAllowed) times.add(now)
    return {
      isAllowed,
      policy: this.#policy,
      remaining: quota - times.count,
      resetSeconds: Math.max(1, Math.ceil((times.oldest + windowMs - now) / 1000)),
    }
  }

  #timesOf(keyId: string, start: number): Times {
    const known = this.#keys.get(keyId)
    if (known !== undefined) return known
    // Forget keys that have no counted requests left.
    if (this.#keys.size >= SWEEP_ABOVE)
      for (const [id, times] of this.#keys) if (times.newest <= start) this.#keys.delete(id)
    const fresh = new Times()
    this.#keys.set(keyId, fresh)
    return fresh
  }
}

/** Times in ascending order. */
class Times {
  #times: number[] = []
  #first = 0

  get count(): number {
    return this.#times.length - this.#first
  }

  get oldest(): number {
    return this.#times[this.#first] ?? 0
  }

  get newest(): number {
    return this.#times.at(-1) ?? 0
  }

  add(time: number): void {
    this.#times.push(time)
  }

  dropUntil(time: number): void {
    while (this.count > 0 && this.oldest <= time) this.#first++
    // What was dropped is given up when it is half of all: moving the rest then costs nothing in the long run.
    if (this.#first <= this.#times.length / 2) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
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
