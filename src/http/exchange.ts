import { ApiError, ERRORS } from '../contract/errors.ts'
import { Refused } from '../keys/refused.ts'
import type { Observe, Refusal } from '../observability/events.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { errorAnswer } from './errors.ts'
import type { RoutedRequest } from './handlers/handler.ts'
import type { RequestIdOf } from './request/request-id.ts'
import { afterUnreadBody, hasUnreadBody } from './request/unread-body.ts'

/** What one request gathers on its way, for the log. */
export interface Exchange {
  readonly request: RoutedRequest
  readonly method: string
  readonly requestId: string
  readonly started: number
  keyId: string | undefined
  /** The operation of the contract, once it is chosen. */
  operation: string | undefined
  refusal: Refusal | undefined
}

export interface Endpoint {
  /** The pattern that the log names. */
  readonly route: string
  /** The operation of the contract behind each method, for an exchange that ends before it is chosen. */
  readonly operations?: Readonly<Record<string, string>>
  /** Headers of every error of this method; its successes have them from their handler. */
  readonly errorHeaders?: (method: string) => Readonly<Record<string, string>>
  readonly answer: (exchange: Exchange) => MaybePromise<Answer>
}

export interface ExchangeOptions {
  readonly observe: Observe
  readonly requestIdOf: RequestIdOf
  readonly isDraining: () => boolean
}

export type Exchanging = (request: RoutedRequest) => MaybePromise<Response>

/**
 * From a request to its response: one answer, one request id, one line in the log, whatever happens in between. An answer that
 * is there at once goes out at once: a promise would cost more than the rest of a cached read.
 */
export function exchange(
  endpoint: Endpoint,
  { observe, requestIdOf, isDraining }: ExchangeOptions,
): Exchanging {
  const { route, operations = {} } = endpoint

  function send(answer: Answer, current: Exchange): Response {
    const { status, body } = answer
    const { method, requestId, started, keyId, refusal } = current
    const operation = current.operation ?? operations[method] ?? route
    const durationMs = performance.now() - started
    observe({
      kind: 'request',
      method,
      route,
      operation,
      status,
      durationMs,
      requestId,
      keyId,
      refusal,
    })
    return new Response(body, {
      status,
      headers: finished(answer, requestId, occasional(method, isDraining())),
    })
  }

  function fail(error: unknown, current: Exchange): MaybePromise<Response> {
    const code = error instanceof ApiError ? error.code : 'internal_error'
    if (ERRORS[code].status >= 500)
      observe({ kind: 'request-failed', requestId: current.requestId, code, cause: error })
    if (error instanceof Refused) current.refusal = error.refusal
    const { request, method } = current
    const answer = errorAnswer(error, endpoint.errorHeaders?.(method))
    if (!hasUnreadBody(request)) return send(answer, current)
    return afterUnreadBody(request, answer).then(ready => send(ready, current))
  }

  return request => {
    const current: Exchange = {
      request,
      method: request.method,
      requestId: requestIdOf(request),
      started: performance.now(),
      keyId: undefined,
      operation: undefined,
      refusal: undefined,
    }
    try {
      const answer = endpoint.answer(current)
      if (!(answer instanceof Promise)) return send(answer, current)
      return answer.then(
        ready => send(ready, current),
        error => fail(error, current),
      )
    } catch (error) {
      return fail(error, current)
    }
  }
}

/** Headers that are kept are changed in place, which is safe because they are sent before anyone else can change them. */
function finished(
  { headers, own }: Answer,
  requestId: string,
  more: Record<string, string> | undefined,
): Answer['headers'] {
  if (more !== undefined)
    return withHeaders(new Headers(headers), { ...own, ...more, 'X-Request-Id': requestId })
  if (!(headers instanceof Headers)) return { ...headers, ...own, 'X-Request-Id': requestId }
  if (own !== undefined) withHeaders(headers, own)
  headers.set('X-Request-Id', requestId)
  return headers
}

function withHeaders(headers: Headers, more: Readonly<Record<string, string>>): Headers {
  for (const name in more) headers.set(name, more[name] as string)
  return headers
}

/** What only some answers carry: `Connection: close` tells a client to leave, and the runtime leaves `Date` out of a HEAD. */
function occasional(method: string, isDraining: boolean): Record<string, string> | undefined {
  if (method !== 'HEAD' && !isDraining) return undefined
  return {
    ...(isDraining && { Connection: 'close' }),
    ...(method === 'HEAD' && { Date: new Date().toUTCString() }),
  }
}
