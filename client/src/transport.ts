import { attempt, sleep } from './attempt.ts'
import { OPERATIONS } from './contract.generated.ts'
import { errorOf, PetstoreError } from './errors.ts'
import { parseJson } from './json.ts'
import { credentialsOf, type OperationId, type PetstoreOptions, type RequestOptions } from './options.ts'
import { isWorthRetrying, retryAfterOf, waitBefore } from './retry.ts'

export interface Call {
  /** The path parameter. */
  id?: string
  query?: string
  body?: string
  headers?: Record<string, string>
}

export interface Answer {
  body: unknown
  headers: Headers
}

/** Performs an operation: attempts, waits and deadlines included. */
export type Transport = (operation: OperationId, call: Call, options?: RequestOptions) => Promise<Answer>

/** The API key lives in this closure only, so that nothing that is printed can show it. */
export function transport(settings: PetstoreOptions): Transport {
  const { apiKey, baseUrl } = credentialsOf(settings)
  const announced = new Set<OperationId>()

  return async (operation, { id = '', query = '', body, headers }, options) => {
    const { attemptTimeoutMs = 10_000, timeoutMs = 60_000, maxRetries = 4, signal } = given(settings, options)
    const { method, path } = OPERATIONS[operation]
    const url = baseUrl + path.replace(/{\w+}/, encodeURIComponent(id)) + query
    const init: RequestInit = {
      method,
      // A followed redirect could carry the key elsewhere, or turn a create into a read.
      redirect: 'manual',
      headers: new Headers({ ...headers, accept: 'application/json', authorization: `Bearer ${apiKey}` }),
      ...(body && { body }),
    }
    const deadline = performance.now() + timeoutMs
    for (let retry = 0; ; retry++) {
      try {
        const { response, text } = await attempt(
          ending => (settings.fetch ?? fetch)(url, { ...init, signal: ending }),
          baseUrl,
          Math.min(attemptTimeoutMs, deadline - performance.now()),
          signal,
        )
        announceDeprecation(operation, response.headers)
        return readAnswer(response, text)
      } catch (error) {
        if (!(error instanceof PetstoreError) || retry >= maxRetries || !isWorthRetrying(error)) throw error
        const wait = waitBefore(retry, error)
        // What went wrong says more than that the time is up.
        if (performance.now() + wait >= deadline) throw error
        await sleep(wait, signal)
      }
    }
  }

  function announceDeprecation(operation: OperationId, headers: Headers): void {
    const since = headers.get('deprecation')
    if (!since || announced.has(operation)) return
    announced.add(operation)
    const sunset = headers.get('sunset')
    settings.onDeprecated?.({
      operation,
      since: new Date(+since.slice(1) * 1000),
      sunset: sunset ? new Date(sunset) : undefined,
    })
  }
}

/** The options of a call over those of the client, without those given as undefined. */
const given = (...options: (RequestOptions | undefined)[]): RequestOptions =>
  Object.fromEntries(
    options.flatMap(some => Object.entries(some ?? {})).filter(([, value]) => value !== undefined),
  )

function readAnswer({ ok, status, headers }: Response, text: string): Answer {
  const details = { requestId: headers.get('x-request-id') ?? undefined, retryAfterMs: retryAfterOf(headers) }
  let body: unknown
  try {
    body = parseJson(text)
  } catch (cause) {
    throw errorOf(undefined, status, { ...details, cause })
  }
  if (ok && typeof body === 'object' && body) return { body, headers }
  throw errorOf(body, status, details)
}
