import { EXPOSED_HEADERS } from '../../contract/headers.ts'
import type { Answer } from '../answer.ts'
import type { Endpoint } from '../exchange.ts'
import type { Decoration } from './decorate.ts'

const EXPOSED = EXPOSED_HEADERS.join(', ')
/** The same for every path, so that a question without a key learns nothing about one. */
const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id',
    'Access-Control-Max-Age': '7200',
  },
  body: null,
}

/** Lets pages of the named origins, and of no others, call the API from a browser. */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** A browser asks before it sends a key, so its question is answered without one. */
  withPreflight(endpoint: Endpoint): Endpoint {
    return {
      ...endpoint,
      answer: exchange => (this.#isPreflight(exchange.request) ? PREFLIGHT : endpoint.answer(exchange)),
    }
  }

  readonly decorate: Decoration = (request, headers) => {
    headers.append('Vary', 'Origin')
    const origin = request.headers.get('origin')
    if (origin === null || !this.#origins.has(origin)) return
    headers.set('Access-Control-Allow-Origin', origin)
    headers.set('Access-Control-Expose-Headers', EXPOSED)
  }

  #isPreflight({ method, headers }: Request): boolean {
    if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return false
    return this.#origins.has(headers.get('origin') ?? '')
  }
}
