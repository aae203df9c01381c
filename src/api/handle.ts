import { ApiError, ERRORS, MESSAGES } from '../contract/errors.ts'
import { MAX_REQUEST_ID_LENGTH } from '../contract/limits.ts'
import type { Environment } from '../contract/servers.ts'
import { listIn, RequestContext, type Route, type RoutedRequest } from '../http/endpoint.ts'
import { errorDraft, type ResponseDraft, setAll } from '../http/response.ts'
import { KeyRejected, type KeyRing } from '../keys/key-ring.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import type { Observe } from '../observability/events.ts'
import { reasonOf } from '../observability/log.ts'
import { BodyAbandoned, type BodyReader, hasUnreadBody } from './body.ts'
import type { Cors } from './cors.ts'
import { apiErrorOf } from './failures.ts'
import type { Draining } from './health.ts'
import type { RateLimiter } from './rate-limit.ts'
import { hasValidHost, UNKNOWN_PATH } from './routes.ts'

interface HandlerOptions {
  readonly environment: Environment
  readonly ring: KeyRing
  readonly bodies: BodyReader
  readonly draining: Draining
  readonly observe: Observe
  // Undefined if they are off.
  readonly rateLimiter: RateLimiter | undefined
  readonly cors: Cors | undefined
}

/** Handles a request from start to finish: one response, one request id, one log line. */
export function handlerFor(options: HandlerOptions) {
  const { environment, ring, bodies, draining, observe, rateLimiter, cors } = options
  const requestIdOf = requestIds(ring)

  /** Returns a promise only if it has to wait. */
  function handle(route: Route, request: RoutedRequest): MaybePromise<Response> {
    const context = new RequestContext(request, requestIdOf(request), route)
    try {
      assertHost(request)
      const preflight = cors?.preflight(request)
      if (preflight !== undefined) return respond(context, preflight)
      // Nothing behind a key runs before the key is verified.
      const keyId = route.needsKey ? authenticate(context) : undefined
      const draft = whenReady(keyId, id => operate(context, id))
      if (!(draft instanceof Promise)) return respond(context, draft)
      return draft.then(
        ready => respond(context, ready),
        error => fail(context, error),
      )
    } catch (error) {
      return fail(context, error)
    }
  }

  /** The id of the key that a request carries, if it is accepted. */
  function authenticate(context: RequestContext): MaybePromise<string> {
    const key = bearerKey(context.request)
    context.apiKey = key
    return ring.cachedKeyId(key, context.startedAt) ?? ring.verify(key)
  }

  /** For an accepted key, or a path that needs none. */
  function operate(context: RequestContext, keyId: string | undefined): MaybePromise<ResponseDraft> {
    const { endpoint, route, method } = context
    context.keyId = keyId
    if (keyId !== undefined && rateLimiter) {
      const { isAllowed, headers } = rateLimiter.limit(keyId)
      context.rateLimitHeaders = headers
      if (!isAllowed) throw new ApiError('rate_limited')
    }
    if (endpoint !== undefined) return endpoint.respond(context)
    if (route.path === UNKNOWN_PATH) throw new ApiError('route_not_found')
    const Allow = [...route.endpoints.keys()].join(', ')
    throw new ApiError('method_not_allowed', MESSAGES.methodNotAllowed(method, Allow), { headers: { Allow } })
  }

  /** Every failure becomes a response here. */
  function fail(context: RequestContext, error: unknown): MaybePromise<Response> {
    const { requestId, request } = context
    const failure = apiErrorOf(error, request, environment)
    const { code } = failure
    // While the service shuts down, readiness checks fail on purpose, and the log has said so.
    if (ERRORS[code].status >= 500 && !(draining.isDraining && error instanceof ApiError)) {
      // Only a bug needs its stack: a flood of 503s would fill the disk with them.
      const cause = code === 'internal_error' ? error : reasonOf(error)
      observe({ kind: 'request-failed', requestId, code, cause })
    }
    if (error instanceof KeyRejected) context.authFailure = error.failure
    if (error instanceof BodyAbandoned) context.closes = true
    return respond(context, errorDraft(failure))
  }

  /** Discards an unread body or closes the connection, so that the next request is not mistaken for the rest of the body. */
  function respond(context: RequestContext, draft: ResponseDraft): MaybePromise<Response> {
    const { method, request } = context
    // The runtime responds a second time to a trailer or a broken chunk that follows the response, whatever the method.
    if (request.headers.has('transfer-encoding')) context.closes = true
    // The runtime reads the body of a GET or HEAD itself and discards it.
    if (method === 'GET' || method === 'HEAD' || !hasUnreadBody(request)) return send(context, draft)
    return bodies.discard(request).then(isRead => {
      if (!isRead) context.closes = true
      return send(context, draft)
    })
  }

  /** Reports the request and sets the headers that depend on it. */
  function send(context: RequestContext, draft: ResponseDraft): Response {
    const { request, method, requestId, route, endpoint, startedAt, keyId, authFailure } = context
    observe({
      kind: 'request',
      method,
      route: route.path,
      operation: endpoint?.operation ?? route.path,
      status: draft.head.status,
      durationMs: performance.now() - startedAt,
      requestId,
      keyId,
      authFailure,
    })
    if (draining.isDraining) {
      context.closes = true
      draining.count(context)
    }
    const response = draft.head.respond(draft, requestId, endpoint?.deprecation)
    const { headers } = response
    setAll(headers, context.rateLimitHeaders)
    cors?.setHeaders(headers, request)
    if (context.closes || asksToClose(request)) headers.set('Connection', 'close')
    // The runtime omits it from the response to a HEAD.
    if (method === 'HEAD') headers.set('Date', new Date().toUTCString())
    return response
  }

  return handle
}

/** The runtime closes the connection then, but does not say so. */
const asksToClose = ({ headers }: Request): boolean => listIn(headers, 'connection').includes('close')

function assertHost(request: Request): void {
  if (hasValidHost(request)) return
  // The runtime joins two lines with a comma and a space.
  const isSentTwice = request.headers.get('host')?.includes(', ')
  const invalid = 'The request head is invalid: Host is too long or contains an invalid character.'
  throw new ApiError('malformed_request', isSentTwice ? MESSAGES.hostIsSentTwice : invalid)
}

const BEARER = /^bearer +[^ ]/i

export function bearerKey({ headers }: Request): string {
  const credentials = headers.get('authorization') ?? ''
  if (!BEARER.test(credentials)) throw new KeyRejected('missing')
  return credentials.slice(credentials.indexOf(' ')).trimStart()
}

const VALID_ID = new RegExp(`^[A-Za-z0-9\\-_.]{1,${MAX_REQUEST_ID_LENGTH}}$`)

/** Assigns request ids. Keeps the client's own id, so that both logs can be matched, if it is valid and contains no API key. */
export function requestIds(ring: Pick<KeyRing, 'isRevealedBy'>): (request: Request) => string {
  // Identifies this thread, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return ({ headers }) => {
    const sent = headers.get('x-request-id')
    if (sent !== null && VALID_ID.test(sent) && !ring.isRevealedBy(sent)) return sent
    return `${ours}-${(++count).toString(36)}`
  }
}
