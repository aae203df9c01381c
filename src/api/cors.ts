import { EXPOSED_HEADERS } from '../contract/headers.ts'
import { draftOf, type ResponseDraft } from '../http/response.ts'

const EXPOSED = EXPOSED_HEADERS.join(', ')

/** Lets only pages of the configured origins call the API from a browser. */
export class Cors {
  readonly #origins: ReadonlySet<string>
  /** The same for every path, so that a preflight without a key reveals nothing. */
  readonly #preflight = draftOf(
    204,
    {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, traceparent, X-Request-Id',
      'Access-Control-Max-Age': '7200',
    },
    null,
  )

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** The response to a preflight, which browsers send without a key; undefined for any other request. */
  preflight({ method, headers }: Request): ResponseDraft | undefined {
    if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined
    return this.#origins.has(headers.get('origin') ?? '') ? this.#preflight : undefined
  }

  setHeaders(headers: Headers, request: Request): void {
    headers.append('Vary', 'Origin')
    const origin = request.headers.get('origin')
    if (origin === null || !this.#origins.has(origin)) return
    headers.set('Access-Control-Allow-Origin', origin)
    // A preflight has nothing that the page could read.
    if (!headers.has('Access-Control-Allow-Methods')) headers.set('Access-Control-Expose-Headers', EXPOSED)
  }
}
