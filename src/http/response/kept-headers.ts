export type HeaderValues = Readonly<Record<string, string>>
export type Body = string | Uint8Array | null

export const REQUEST_ID = 'X-Request-Id'

/**
 * Headers of an answer that is sent repeatedly, ready for the runtime: building them again costs more than the rest of a
 * read, and the runtime copies a response faster than it reads options. The request id is the only header that differs. The
 * object never leaves this class, and the id is set again for each response, so nothing of one caller can reach the next.
 */
export class KeptHeaders {
  readonly values: HeaderValues
  readonly #ready: Response

  constructor(status: number, values: HeaderValues) {
    this.values = values
    this.#ready = new Response(null, { status, headers: values })
  }

  response(body: Body, requestId: string): Response {
    this.#ready.headers.set(REQUEST_ID, requestId)
    return new Response(body, this.#ready)
  }
}
