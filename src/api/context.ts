import type { ErrorCode } from '../contract/errors.ts'
import type { OperationId } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AuthFailure, Observe } from '../observability/events.ts'
import type { Pages } from '../pages/pages.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import type { BodyReader } from './body.ts'
import type { ResponseCache } from './cache.ts'
import type { Cors } from './cors.ts'
import type { DeprecationHeaders } from './deprecation.ts'
import type { RateLimiter, RateLimitState } from './rate-limit.ts'
import type { Encoded, ResponseDraft } from './response.ts'

/** A request as the runtime's router hands it over. */
export type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> }

/** What answers one method at one path. */
export interface Endpoint {
  /** The operation of the contract; undefined for what needs no key. */
  readonly operation?: OperationId
  readonly answer: (api: Api, context: RequestContext) => MaybePromise<ResponseDraft>
}

export interface Route {
  /** The pattern of the path, which the log names. */
  readonly path: string
  readonly needsKey: boolean
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** The failure of a method without an endpoint. */
  readonly otherwise: Extract<ErrorCode, 'method_not_allowed' | 'route_not_found'>
}

/** What the endpoints of one server share. */
export interface Api {
  /** Where the links of responses begin: the configured address or the version prefix, never the Host header. */
  readonly base: string
  readonly store: Store
  readonly ring: KeyRing
  readonly observe: Observe
  readonly requestIdOf: (request: Request) => string
  readonly bodies: BodyReader
  readonly cache: ResponseCache
  readonly deprecationHeaders: DeprecationHeaders
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
  readonly draining: Draining
  readonly description: () => Encoded
  readonly pages: Pages
  /** Hashes of the idempotency keys whose first request has not finished. */
  readonly idempotencyInProgress: Set<string>
  // What is off is not created, and costs nothing.
  readonly rateLimiter: RateLimiter | undefined
  readonly cors: Cors | undefined
}

/** The time after a signal to stop, in which responses say `Connection: close`, so that clients close. */
export interface Draining {
  hasBegun: boolean
  /** To requests with a key: health checks go on. */
  responses: number
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
