import { ApiError, ERRORS } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { AuthError } from '../keys/key-ring.ts'
import type { MaybePromise } from '../store/store.ts'
import { authenticate } from './auth.ts'
import { BodyAbandoned, hasUnreadBody } from './body.ts'
import {
  type Api,
  type Endpoint,
  RequestContext,
  type Route,
  type RoutedRequest,
  whenReady,
} from './context.ts'
import { assertNotRemoved } from './deprecation.ts'
import { setRateLimitHeaders } from './rate-limit.ts'
import { errorDraft, type HeaderValues, type ResponseDraft } from './response.ts'
import { UNKNOWN_PATH } from './routes.ts'

/**
 * The whole way of a request: one response, one request id, one line in the log. What memory can answer is answered at once;
 * only what has to wait becomes a promise.
 */
export function handle(api: Api, route: Route, request: RoutedRequest): MaybePromise<Response> {
  const context = new RequestContext(request, api.requestIdOf(request), route)
  try {
    assertHost(request.headers.get('host') ?? '')
    const preflight = api.cors?.preflight(request)
    if (preflight !== undefined) return respond(api, context, preflight)
    // Nothing below the version prefix runs before the key is verified.
    const keyId = route.needsKey ? authenticate(request, api.ring, context.startedAt) : undefined
    const draft = whenReady(keyId, id => operate(api, context, id))
    if (!(draft instanceof Promise)) return respond(api, context, draft)
    return draft.then(
      ready => respond(api, context, ready),
      error => fail(api, context, error),
    )
  } catch (error) {
    return fail(api, context, error)
  }
}

/** For a key that was accepted, or a path that needs none. */
function operate(api: Api, context: RequestContext, keyId: string | undefined): MaybePromise<ResponseDraft> {
  const { endpoint, route } = context
  context.keyId = keyId
  if (keyId !== undefined) {
    context.rateLimit = api.rateLimiter?.take(keyId, context.startedAt)
    if (context.rateLimit?.isAllowed === false) throw new ApiError('rate_limited')
  }
  if (endpoint === undefined) {
    if (route.path === UNKNOWN_PATH) throw new ApiError('route_not_found')
    throw new ApiError('method_not_allowed', MESSAGES.methodNotServed(context.method, allowedAt(route)))
  }
  if (api.rehearseSunset && endpoint.operation !== undefined) assertNotRemoved(endpoint.operation)
  return endpoint.answer(api, context)
}

/** Every failure becomes a response here. */
function fail(api: Api, context: RequestContext, error: unknown): MaybePromise<Response> {
  const { requestId, endpoint, route } = context
  const code = error instanceof ApiError ? error.code : 'internal_error'
  if (ERRORS[code].status >= 500) api.observe({ kind: 'request-failed', requestId, code, cause: error })
  if (error instanceof AuthError) context.authFailure = error.failure
  if (error instanceof BodyAbandoned) context.closes = true
  const headers: HeaderValues = {
    ...(endpoint?.operation && api.deprecationHeaders[endpoint.operation]),
    ...(code === 'method_not_allowed' && { Allow: allowedAt(route) }),
  }
  return respond(api, context, errorDraft(error, headers))
}

const allowedAt = (route: Route): string => [...route.endpoints.keys()].join(', ')

/** Characters of a host name or address, and of a port (RFC 3986 3.2.2). */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/

function assertHost(host: string): void {
  if (HOST.test(host)) return
  // The runtime joins two lines with a comma and a space.
  throw new ApiError(
    'malformed_request',
    host.includes(', ') ? MESSAGES.hostIsSentTwice : MESSAGES.hostIsInvalid,
  )
}

/** Drains an unread body or closes the connection, so that the next request is not mistaken for the rest of the body. */
function respond(api: Api, context: RequestContext, draft: ResponseDraft): MaybePromise<Response> {
  const { method, request } = context
  // The runtime responds a second time to a trailer or a broken chunk that follows the response, whatever the method.
  if (request.headers.has('transfer-encoding')) context.closes = true
  // The runtime reads the body of a GET or HEAD itself and discards it.
  if (method === 'GET' || method === 'HEAD' || !hasUnreadBody(request)) return send(api, context, draft)
  return api.bodies.discard(request).then(isRead => {
    if (!isRead) context.closes = true
    return send(api, context, draft)
  })
}

const isDeprecated = ({ deprecationHeaders }: Api, endpoint: Endpoint | undefined): boolean =>
  endpoint?.operation !== undefined && deprecationHeaders[endpoint.operation] !== undefined

/** Reports the request and sets the headers that depend on it. */
function send(api: Api, context: RequestContext, draft: ResponseDraft): Response {
  const { request, method, requestId, route, endpoint, startedAt, keyId, authFailure, rateLimit } = context
  const { status, head, body, etag, link, location } = draft
  api.observe({
    kind: 'request',
    method,
    route: route.path,
    operation: endpoint?.operation ?? route.path,
    status,
    durationMs: performance.now() - startedAt,
    requestId,
    keyId,
    authFailure,
  })
  if (keyId !== undefined && isDeprecated(api, endpoint) && status !== ERRORS.rate_limited.status)
    api.ring.countDeprecatedCall(keyId)
  if (api.isDraining) {
    context.closes = true
    if (keyId !== undefined) api.responsesWhileDraining++
  }
  // Every response has its own, so it is set before the copy: the headers of a new response cost twice as much to reach.
  const { headers } = head
  headers.set('X-Request-Id', requestId)
  if (etag !== undefined) headers.set('ETag', etag)
  if (link !== undefined) headers.set('Link', link)
  if (location !== undefined) headers.set('Location', location)
  const response = new Response(body, head)
  if (rateLimit !== undefined) setRateLimitHeaders(response.headers, rateLimit)
  api.cors?.setHeaders(response.headers, request)
  if (context.closes) response.headers.set('Connection', 'close')
  // The runtime leaves it out of the response to a HEAD.
  if (method === 'HEAD') response.headers.set('Date', new Date().toUTCString())
  return response
}
