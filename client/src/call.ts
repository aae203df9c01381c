/** The parts of a response other than its data. */
export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** Identifies this version of the data. Pass it as `ifNoneMatch` to learn whether the data has changed. */
  readonly etag: string | undefined
  /** The state of the rate limit for this API key, if the operator has set one. */
  readonly rateLimit: RateLimit | undefined
  /** For a create: whether an earlier request with this idempotency key added the animal. */
  readonly replayed: boolean
  /** How many attempts the call took. */
  readonly attempts: number
}

/** How many requests are left, and when the limit resets. */
export interface RateLimit {
  readonly remaining: number
  /** Undefined if the service does not say. */
  readonly resetMs: number | undefined
}

/** The data of a call together with the rest of its response. */
export interface WithResponse<Data> extends ResponseInfo {
  readonly data: Data
}

/** The result of a conditional read if the data still has the given ETag. Equal in all copies of this package. */
export const NOT_MODIFIED: unique symbol = Symbol.for('@petstore/client/not-modified') as never
/** The type of `NOT_MODIFIED`. */
export type NotModified = typeof NOT_MODIFIED

export function infoOf(status: number, headers: Headers, attempts: number): ResponseInfo {
  const text = (name: string) => headers.get(name) ?? undefined
  return {
    status,
    headers,
    requestId: text('x-request-id'),
    etag: text('etag'),
    rateLimit: rateLimitOf(text('ratelimit')),
    replayed: text('idempotent-replayed') === 'true',
    attempts,
  }
}

/** A string in a structured field (RFC 9651). An unterminated one extends to the end, so that nothing is scanned twice. */
const STRING = /"[^"\\]*(?:\\.?[^"\\]*)*"?/g

/** The first item of the list: a string or a token, then parameters in any order. */
function rateLimitOf(header = ''): RateLimit | undefined {
  // A string may contain any separator.
  const [item = ''] = header.replace(STRING, '""').split(',')
  const number = (key: string): number | undefined => {
    const digits = RegExp(`; *${key}=(\\d{1,15}) *(;|$)`).exec(item)?.[1]
    return digits ? +digits : undefined
  }
  const remaining = number('r')
  const seconds = number('t')
  return remaining === undefined ? undefined : { remaining, resetMs: seconds && seconds * 1000 }
}

/** A promise of the data. `withResponse()` adds the rest of the response. */
export class Call<Data> extends Promise<Data> {
  /** Starts the call at most once. */
  readonly #started: () => Promise<WithResponse<Data>>

  /** `then`, `catch` and `finally` return ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /**
   * Starts when it is first used.
   *
   * @internal
   */
  constructor(start: () => Promise<WithResponse<Data>>) {
    let settle: (data: Promise<Data>) => void
    super(resolve => {
      settle = resolve
    })
    let outcome: Promise<WithResponse<Data>> | undefined
    this.#started = () => {
      if (!outcome) {
        outcome = start()
        settle(outcome.then(({ data }) => data))
      }
      return outcome
    }
  }

  /**
   * A call that starts as soon as it is made, whether or not it is awaited.
   *
   * @internal
   */
  static started<Data>(start: () => Promise<WithResponse<Data>>): Call<Data> {
    const call = new Call(start)
    call.#started()
    return call
  }

  /** The data with status, headers, request id, ETag and rate limit. */
  withResponse(): Promise<WithResponse<Data>> {
    const outcome = this.#started()
    // The caller handles a failure of the returned promise, so that of this one must not be reported as well.
    super.then(undefined, () => {})
    return outcome.then(whole => whole)
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then<Kept = Data, Broken = never>(
    kept?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    broken?: ((reason: unknown) => Broken | PromiseLike<Broken>) | null,
  ): Promise<Kept | Broken> {
    this.#started()
    return super.then(kept, broken)
  }
}
