import { OPERATIONS, type OperationId, VERSION } from '../contract.generated.ts'
import { entriesOf } from '../defined.ts'
import { describe, type ErrorDetails, PetstoreError } from '../errors.ts'
import type { Int64Mode } from '../int64.ts'
import type { ConditionalOptions, CreateOptions, PetstoreOptions } from '../options.ts'
import { checkOptions, isBrowser } from '../settings.ts'
import { sleep } from './abort.ts'
import { dataOf, type Read } from './answer.ts'
import { infoOf, type WithResponse } from './call.ts'
import { exchange } from './exchange.ts'
import { observer } from './observe.ts'
import { LONGEST_WAIT_MS, waitAfter } from './retry.ts'

export interface Request<Data> {
  readonly operation: OperationId
  /** The path parameter. */
  readonly id?: string
  readonly query?: URLSearchParams
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The details of this request that an error carries. */
  readonly details?: ErrorDetails
  readonly read: Read<Data>
}

type CallOptions = CreateOptions & Partial<ConditionalOptions>

/** Performs an operation, including attempts, waits and deadlines. */
export type Transport = <Data>(request: Request<Data>, options?: CallOptions) => Promise<WithResponse<Data>>

/** The API key exists only in this closure, so that printing an object cannot reveal it. */
export function transport(settings: PetstoreOptions<Int64Mode>, apiKey: string, baseUrl: string): Transport {
  const { logger, logLevel = logger ? 'warn' : 'error' } = settings
  const observe = observer(settings, logger ?? console, logLevel)
  const announced = new Set<OperationId>()
  const redact = (text: string): string => text.replaceAll(apiKey, '[API key]')

  return async (request, options = {}) => {
    checkOptions(options)
    const {
      attemptTimeoutMs = 10_000,
      timeoutMs = 60_000,
      maxRetries = 4,
    } = { ...settings, ...(Object.fromEntries(entriesOf(options)) as CallOptions) }
    const { operation, id = '', query = '', body, details = {}, read } = request
    const { signal, ifNoneMatch } = options
    const { method, path } = OPERATIONS[operation]
    const url = `${baseUrl}${path.replace(/{\w+}/, id)}${`${query}` && `?${query}`}`
    const headers = headersOf(settings.headers, options.headers, request.headers, {
      accept: 'application/json',
      'if-none-match': ifNoneMatch,
    })
    const deadline = performance.now() + timeoutMs
    let waitMs = 0
    for (let attempt = 1; ; attempt++) {
      try {
        if (waitMs) await sleep(waitMs, signal)
        return await send(attempt)
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error
        describe(error, details)
        waitMs = waitAfter(attempt, error)
        // Throws the failure itself, which says more than a timeout.
        const isTooLong = waitMs > LONGEST_WAIT_MS || performance.now() + waitMs >= deadline
        if (attempt > maxRetries || !error.retryable || isTooLong) throw error
        observe('onRetry', { operation, attempt, error, waitMs })
      }
    }

    async function send(attempt: number) {
      observe('onRequest', { operation, attempt, method, url, headers })
      const started = performance.now()
      const keyed = new Headers(headers)
      keyed.set('authorization', `Bearer ${apiKey}`)
      const { response, text } = await exchange(
        baseUrl,
        Math.min(attemptTimeoutMs, deadline - started),
        signal,
        // Following a redirect could send the key elsewhere, or turn a create into a read.
        signal =>
          (settings.fetch ?? fetch)(url, {
            method,
            headers: keyed,
            redirect: 'manual',
            signal,
            body: body ?? null,
          }),
      )
      const info = infoOf(response.status, response.headers, attempt)
      observe('onResponse', { ...info, operation, attempt, durationMs: performance.now() - started })
      announceDeprecation(operation, response.headers)
      // The caller already has the data of this ETag.
      const isKnown = ifNoneMatch && info.status === 304
      return { ...info, data: isKnown ? (undefined as never) : dataOf(info, text, redact, read) }
    }
  }

  function announceDeprecation(operation: OperationId, headers: Headers): void {
    const since = headers.get('deprecation')
    if (!since || announced.has(operation)) return
    announced.add(operation)
    const sunset = headers.get('sunset')
    observe('onDeprecated', {
      operation,
      since: new Date(+since.slice(1) * 1000),
      sunset: sunset ? new Date(sunset) : undefined,
    })
  }
}

/** Later headers win. Names are compared case-insensitively. */
function headersOf(...all: (Readonly<Record<string, string | undefined>> | undefined)[]): Headers {
  const headers = new Headers(isBrowser() ? {} : { 'user-agent': `petstore-client/${VERSION}` })
  for (const some of all) for (const [name, value] of entriesOf(some)) headers.set(name, value as string)
  // Only the client sets the key, and hooks must not see it.
  headers.delete('authorization')
  return headers
}
