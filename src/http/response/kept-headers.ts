export type HeaderValues = Readonly<Record<string, string>>
export type Body = string | Uint8Array | null

export const REQUEST_ID = 'X-Request-Id'

/**
 * Headers of answers that are sent repeatedly, ready for the runtime: building them again costs more than the rest of a read,
 * and the runtime copies a response faster than it reads options. Only the request id and the `Location` differ. The response
 * never leaves this class. Each caller's own headers are set again before every use, and one made for a `Location` is never used
 * without: nothing of one caller can reach the next.
 */
export class KeptHeaders {
  readonly #ready: Response
  readonly #values: HeaderValues
  readonly #location: string | undefined

  private constructor(ready: Response, values: HeaderValues, location?: string) {
    this.#ready = ready
    this.#values = values
    this.#location = location
  }

  static of(status: number, values: HeaderValues): KeptHeaders {
    return new KeptHeaders(new Response(null, { status, headers: values }), values)
  }

  /** For answers that differ in their `Location`. */
  static located(status: number, values: HeaderValues): (location: string) => KeptHeaders {
    const ready = new Response(null, { status, headers: values })
    return location => new KeptHeaders(ready, values, location)
  }

  get values(): HeaderValues {
    return this.#location === undefined ? this.#values : { ...this.#values, Location: this.#location }
  }

  response(body: Body, requestId: string): Response {
    const { headers } = this.#ready
    if (this.#location !== undefined) headers.set('Location', this.#location)
    headers.set(REQUEST_ID, requestId)
    return new Response(body, this.#ready)
  }
}
