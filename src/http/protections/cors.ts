import { EXPOSED_HEADERS } from '../../contract/headers.ts'
import type { Answer } from '../answer.ts'
import type { HeaderValues } from '../response/kept-headers.ts'

const EXPOSED = EXPOSED_HEADERS.join(', ')
/** The same for every path, so that a preflight without a key reveals nothing. */
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

/** Lets only pages of the configured origins call the API from a browser. */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** A browser sends a preflight without a key, so it is answered without one; undefined if this is not a preflight. */
  preflight({ method, headers }: Request): Answer | undefined {
    if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined
    return this.#origins.has(headers.get('origin') ?? '') ? PREFLIGHT : undefined
  }

  headersFor(request: Request, vary?: string): HeaderValues {
    const Vary = vary === undefined ? 'Origin' : `${vary}, Origin`
    const origin = request.headers.get('origin')
    if (origin === null || !this.#origins.has(origin)) return { Vary }
    return { Vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
  }
}
