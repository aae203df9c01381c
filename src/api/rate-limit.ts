import type { RateLimitPolicy } from '../config/settings.ts'
import type { HeaderValues } from '../http/response.ts'

/** Number of keys that can be counted. Beyond about half of it, some keys share a count. */
const KEYS = 65_536
/** Each has two words: its hash, and its window, which is the start in milliseconds and a count in the lowest bits. */
const WORDS = 2
const COUNT_BITS = 20n
/** A key takes the first free place from the one that its hash selects; this many are tried. */
const MAX_STEPS = 64

/** The counts of all keys, to be shared by the limiters of all threads. */
export const newRateCounts = (): SharedArrayBuffer =>
  new SharedArrayBuffer(KEYS * WORDS * BigUint64Array.BYTES_PER_ELEMENT)

/** For all threads: at most the quota in a window, which begins with a key's first request. Rejected ones are not counted. */
export class RateLimiter {
  readonly #policy: string
  readonly #quota: number
  readonly #windowMs: number
  readonly #words: BigUint64Array

  constructor({ quota, windowSeconds }: RateLimitPolicy, counts: SharedArrayBuffer) {
    this.#quota = quota
    this.#windowMs = windowSeconds * 1000
    this.#policy = `"default";q=${quota};w=${windowSeconds}`
    this.#words = new BigUint64Array(counts)
  }

  /** Counts a request of a key, if it is allowed; returns the fields of draft-ietf-httpapi-ratelimit-headers. */
  limit(keyId: string, now = Date.now()): { readonly isAllowed: boolean; readonly headers: HeaderValues } {
    const window = this.#windowOf(keyId)
    for (;;) {
      const word = Atomics.load(this.#words, window)
      const known = {
        start: Number(word >> COUNT_BITS),
        count: Number(BigInt.asUintN(Number(COUNT_BITS), word)),
      }
      // The wall clock is the only one that all threads share. If it was set back, the window may be in the future.
      const isOpen = Math.abs(now - known.start) < this.#windowMs
      const { start, count } = isOpen ? known : { start: now, count: 0 }
      const isAllowed = count < this.#quota
      const counted = (BigInt(start) << COUNT_BITS) | BigInt(count + 1)
      // Another thread may have counted in between.
      if (isAllowed && Atomics.compareExchange(this.#words, window, word, counted) !== word) continue
      const remaining = isAllowed ? this.#quota - count - 1 : 0
      const resetSeconds = Math.ceil((start + this.#windowMs - Math.max(now, start)) / 1000)
      const headers = {
        'RateLimit-Policy': this.#policy,
        RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      }
      return { isAllowed, headers: isAllowed ? headers : { ...headers, 'Retry-After': String(resetSeconds) } }
    }
  }

  /** The index of a key's window. The first request of a key claims a place for it. */
  #windowOf(keyId: string): number {
    // Zero marks a free place.
    const hash = Bun.hash(keyId) || 1n
    const first = Number(hash % BigInt(KEYS))
    for (let step = 0; step < MAX_STEPS; step++) {
      const place = ((first + step) % KEYS) * WORDS
      const owner = Atomics.compareExchange(this.#words, place, 0n, hash)
      if (owner === 0n || owner === hash) return place + 1
    }
    return first * WORDS + 1
  }
}
