import type { OperationId } from '../contract/operations.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { AuthFailure } from '../observability/events.ts'
import type { HeaderValues, ResponseDraft } from './response.ts'

/** A request as the runtime's router passes it on. */
export type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> }

export type Respond = (context: RequestContext) => MaybePromise<ResponseDraft>

/** What serves one method at one path. HEAD is served wherever GET is. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** The pattern of the path; `:name` stands for a parameter. */
  readonly path: string
  readonly needsKey: boolean
  /** The operation of the contract, if it is one. */
  readonly operation?: OperationId
  /** Headers that announce a deprecation, on every response (RFC 9745, RFC 8594). */
  readonly deprecation?: HeaderValues | undefined
  readonly respond: Respond
}

/** An endpoint for everyone, without an API key. */
export const publicEndpoint = (path: string, respond: Respond): Endpoint => ({
  method: 'GET',
  path,
  needsKey: false,
  respond,
})

/** All endpoints at one path. */
export interface Route {
  /** The pattern of the path, for the log; `unknown` if nothing is served there. */
  readonly path: string
  readonly needsKey: boolean
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

/** The items of a list in a header, in lower case. Real lists are shorter than the limit; longer ones are not read. */
export function listIn(headers: Headers, name: string): string[] {
  const list = headers.get(name)
  return list === null || list.length > 256 ? [] : list.toLowerCase().split(/\s*,\s*/)
}

/** One request and what is learned about it on its way. */
export class RequestContext {
  readonly request: RoutedRequest
  readonly method: string
  readonly requestId: string
  readonly route: Route
  /** Undefined if the path has none for the method. */
  readonly endpoint: Endpoint | undefined
  readonly startedAt = performance.now()
  /** The API key that it carries, accepted or not. */
  apiKey = ''
  /** The id of the accepted API key. */
  keyId: string | undefined = undefined
  /** Why a key was rejected. */
  authFailure: AuthFailure | undefined = undefined
  /** Headers that say what remains of the rate limit, if there is one. */
  rateLimitHeaders: HeaderValues | undefined = undefined
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
