import type { Config } from '../config/load.ts'
import { MAX_REQUEST_ID_LENGTH } from '../contract/limits.ts'
import { type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuthFailure, Observe } from '../observability/events.ts'
import { Pages } from '../pages/pages.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import { BodyReader } from './body.ts'
import { MAX_BYTES, ResponseCache } from './cache.ts'
import { Cors } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { RateLimiter, type RateLimitState } from './rate-limit.ts'
import { type HeaderValues, jsonTemplate, type ResponseDraft, type Template } from './response.ts'

/** A request as the runtime's router hands it over. */
export type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> }

/** What answers one method at one path. */
export interface Endpoint {
  /** The operation of the contract; undefined for what needs no key. */
  readonly operation?: OperationId
  readonly answer: (api: Api, context: RequestContext) => MaybePromise<ResponseDraft>
}

export interface Route {
  /** The pattern of the path, which the log names; `unknown` where nothing is served. */
  readonly path: string
  readonly needsKey: boolean
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

export interface ApiOptions {
  readonly config: Config
  readonly store: Store
  readonly ring: KeyRing
  readonly observe: Observe
  /** What the rate limiters of all threads share, if there is a rate limit. */
  readonly rateLimits: SharedArrayBuffer | undefined
}

/** What the endpoints of one server share. */
export class Api {
  /** Where the links of responses begin: the configured address or the version prefix, never the Host header. */
  readonly base: string
  readonly store: Store
  readonly ring: KeyRing
  readonly observe: Observe
  readonly requestIdOf: (request: Request) => string
  readonly bodies = new BodyReader()
  readonly pageCache: ResponseCache
  readonly petCache: ResponseCache
  readonly petTemplate: Template
  readonly pages: Pages
  readonly deprecationHeaders: Readonly<Partial<Record<OperationId, HeaderValues>>>
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
  /** Hashes of the idempotency keys whose first request has not finished. */
  readonly idempotencyInProgress = new Set<string>()
  // What is off is not created, and costs nothing.
  readonly rateLimiter: RateLimiter | undefined
  readonly cors: Cors | undefined
  /** After a signal to stop: responses say `Connection: close`, so that clients close. */
  isDraining = false
  /** To requests with a key, since then: health checks go on. */
  responsesWhileDraining = 0

  constructor({ config, store, ring, observe, rateLimits }: ApiOptions) {
    const { environment, baseUrls, rehearseSunset, rateLimit, corsOrigins, hasConsole, threads } = config
    this.base = baseUrls[environment] ?? VERSION_PREFIX
    this.store = store
    this.ring = ring
    this.observe = observe
    this.requestIdOf = requestIds(ring)
    this.pageCache = new ResponseCache(store, MAX_BYTES / threads)
    this.petCache = new ResponseCache(store, MAX_BYTES / threads)
    this.pages = new Pages(environment, baseUrls)
    this.deprecationHeaders = deprecationHeaders(this.base, hasConsole)
    this.petTemplate = jsonTemplate(this.deprecationHeaders.getPet)
    this.rehearseSunset = rehearseSunset
    this.rateLimiter = rateLimit && rateLimits && new RateLimiter(rateLimit, rateLimits)
    this.cors = corsOrigins && new Cors(corsOrigins)
  }
}

/** One request and what is learned about it on its way. */
export class RequestContext {
  readonly request: RoutedRequest
  readonly method: string
  readonly requestId: string
  readonly route: Route
  /** Undefined where the path has none for the method. */
  readonly endpoint: Endpoint | undefined
  readonly startedAt = performance.now()
  /** The API key that was accepted. */
  keyId: string | undefined = undefined
  /** Why a key was refused. */
  authFailure: AuthFailure | undefined = undefined
  /** What is left to the key, where the operator limits requests. */
  rateLimit: RateLimitState | undefined = undefined
  /** The connection ends with this response. */
  closes = false

  constructor(request: RoutedRequest, requestId: string, route: Route) {
    this.request = request
    this.method = request.method
    this.requestId = requestId
    this.route = route
    this.endpoint = route.endpoints.get(this.method)
  }
}

/** Goes on at once where it can: a promise would cost a read 7 %. */
export const whenReady = <T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (value instanceof Promise ? value.then(next) : next(value))

const VALID_ID = new RegExp(`^[A-Za-z0-9\\-_.]{1,${MAX_REQUEST_ID_LENGTH}}$`)

/** Assigns request ids. The client's own is kept if it is valid, so that both logs can be matched, and reveals no API key. */
export function requestIds(ring: Pick<KeyRing, 'isRevealedBy'>): (request: Request) => string {
  // Identifies this process, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return ({ headers }) => {
    const sent = headers.get('x-request-id')
    if (sent !== null && VALID_ID.test(sent) && !ring.isRevealedBy(sent)) return sent
    return `${ours}-${(++count).toString(36)}`
  }
}
