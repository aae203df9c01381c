import { ERRORS, PetstoreError } from '../contract/errors.ts'
import type { Observe } from '../observability/events.ts'
import type { Answer } from './answer.ts'
import { errorAnswer } from './error-answer.ts'
import { requestIdOf } from './request-id.ts'

/** What one request gathers on its way, for the log. */
export interface Exchange {
  readonly request: Request
  readonly requestId: string
  keyId: string | undefined
}

export interface Endpoint {
  /** The pattern that the log names. */
  readonly route: string
  /** Headers of every answer, errors included. */
  readonly headers?: (method: string) => Readonly<Record<string, string>>
  readonly answer: (exchange: Exchange) => Answer | Promise<Answer>
}

/** From a request to its response: one answer, one request id, one line in the log, whatever happens in between. */
export function exchange(endpoint: Endpoint, observe: Observe, isDraining: () => boolean) {
  return async (request: Request): Promise<Response> => {
    const started = performance.now()
    const requestId = requestIdOf(request)
    const current: Exchange = { request, requestId, keyId: undefined }
    const answer = await answerOrError(endpoint, current, observe)
    const headers = {
      ...answer.headers,
      ...endpoint.headers?.(request.method),
      'X-Request-Id': requestId,
      ...(isDraining() && { Connection: 'close' }),
    }
    observe({
      kind: 'request',
      method: request.method,
      route: endpoint.route,
      status: answer.status,
      durationMs: performance.now() - started,
      requestId,
      keyId: current.keyId,
    })
    return new Response(answer.body, { status: answer.status, headers })
  }
}

async function answerOrError(endpoint: Endpoint, current: Exchange, observe: Observe): Promise<Answer> {
  try {
    return await endpoint.answer(current)
  } catch (error) {
    const code = error instanceof PetstoreError ? error.code : 'internal_error'
    if (ERRORS[code].status >= 500)
      observe({ kind: 'request-failed', requestId: current.requestId, code, cause: error })
    return errorAnswer(error)
  }
}
