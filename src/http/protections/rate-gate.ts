import type { RateLimit } from '../../config/protections.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Decoration } from './decorate.ts'
import { RateLimiter, type Standing } from './rate-limit.ts'

/** Lets a key in as often as the operator allows, and tells it on every answer how it stands. */
export class RateGate {
  readonly #limiter: RateLimiter
  readonly #standings = new WeakMap<Request, Standing>()

  constructor(limit: RateLimit) {
    this.#limiter = new RateLimiter(limit)
  }

  /** Counts a request of this key; throws a 429 if it is one too many. */
  admit(request: Request, keyId: string): void {
    const standing = this.#limiter.take(keyId, performance.now())
    this.#standings.set(request, standing)
    if (!standing.isAllowed) throw new ApiError('rate_limited')
  }

  /** The fields of draft-ietf-httpapi-ratelimit-headers. Who was not let in by a key has no standing, and learns nothing. */
  readonly decorate: Decoration = (request, headers) => {
    const standing = this.#standings.get(request)
    if (standing === undefined) return
    headers.set('RateLimit-Policy', this.#limiter.policy)
    headers.set('RateLimit', `"default";r=${standing.remaining};t=${standing.resetSeconds}`)
    if (!standing.isAllowed) headers.set('Retry-After', String(standing.resetSeconds))
  }
}
