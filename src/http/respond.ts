import { ApiError, ERRORS } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { AuthError } from '../keys/auth-error.ts'
import type { Observe } from '../observability/events.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import { errorAnswer } from './errors.ts'
import { Exchange, type RoutedRequest } from './exchange.ts'
import type { Draining } from './listener/draining.ts'
import type { Cors } from './protections/cors.ts'
import { BodyAbandoned } from './request/receive-body.ts'
import type { RequestIdOf } from './request/request-id.ts'
import { finishBody, hasUnreadBody } from './request/unread-body.ts'
import { responseOf } from './response/response.ts'

interface RespondOptions {
  readonly observe: Observe
  readonly requestIdOf: RequestIdOf
  readonly draining: Draining
  readonly cors: Cors | undefined
}

export type Respond = (request: RoutedRequest) => MaybePromise<Response>

/**
 * From a request to its response: always one answer, one request id, one line in the log. An answer that
 * is there at once goes out at once: a promise would cost a read 7 %.
 */
export function respondWith(endpoint: Endpoint, options: RespondOptions): Respond {
  const { observe, requestIdOf, draining, cors } = options
  const { route, operations = {} } = endpoint

  function send(answer: Answer, exchange: Exchange): Response {
    const {
      method,
      requestId,
      started,
      keyId,
      authFailure,
      operation = operations[method] ?? route,
    } = exchange
    const { status } = answer
    const durationMs = performance.now() - started
    observe({ kind: 'request', method, route, operation, status, durationMs, requestId, keyId, authFailure })
    if (draining.hasBegun) {
      exchange.closes = true
      draining.countAnswer(keyId)
    }
    return responseOf(answer, exchange, cors)
  }

  function fail(error: unknown, exchange: Exchange): MaybePromise<Response> {
    const code = error instanceof ApiError ? error.code : 'internal_error'
    if (ERRORS[code].status >= 500)
      observe({ kind: 'request-failed', requestId: exchange.requestId, code, cause: error })
    if (error instanceof AuthError) exchange.authFailure = error.failure
    if (error instanceof BodyAbandoned) exchange.closes = true
    const answer = errorAnswer(error, endpoint.errorHeaders?.(exchange.method))
    return finish(answer, exchange)
  }

  /** An unread body is read first, or the connection is closed: the next request must not be taken for its rest. */
  function finish(answer: Answer, exchange: Exchange): MaybePromise<Response> {
    if (!hasUnreadBody(exchange.request)) return send(answer, exchange)
    return finishBody(exchange).then(() => send(answer, exchange))
  }

  return request => {
    const exchange = new Exchange(request, requestIdOf(request))
    try {
      // The runtime joins two lines like this.
      if (request.headers.get('host')?.includes(', '))
        throw new ApiError('malformed_request', MESSAGES.hostIsSentTwice)
      const answer = cors?.preflight(request) ?? endpoint.answer(exchange)
      if (!(answer instanceof Promise)) return finish(answer, exchange)
      return answer.then(
        ready => finish(ready, exchange),
        error => fail(error, exchange),
      )
    } catch (error) {
      return fail(error, exchange)
    }
  }
}
