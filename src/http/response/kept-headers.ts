export type HeaderValues = Readonly<Record<string, string>>
export type Body = string | Uint8Array | null

export const REQUEST_ID = 'X-Request-Id'

/**
 * Headers of an answer that is sent repeatedly, ready for the runtime: building them again costs more than the rest of a
 * read. The request id is the only one that differs. The object never leaves this class, and the id is set again for each
 * response, so nothing of one caller can reach the next.
 */
export class KeptHeaders {
  readonly values: HeaderValues
  readonly #ready: Headers

  constructor(values: HeaderValues) {
    this.values = values
    this.#ready = new Headers(values)
  }

  response(status: number, body: Body, requestId: string): Response {
    this.#ready.set(REQUEST_ID, requestId)
    return new Response(body, { status, headers: this.#ready })
  }
}
