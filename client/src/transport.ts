import { sleep, within } from './abort.ts'
import { infoOf, type WithResponse } from './call.ts'
import { VERSION } from './contract.generated.ts'
import { ConnectionError, definedOf, describe, entriesOf, PetstoreError, TimeoutError } from './errors.ts'
import { observer, type RequestedOperation } from './observe.ts'
import { type CreateOptions, checkOptions, type HeadersInput, isBrowser, type Settings } from './options.ts'
import type { Request } from './request.ts'
import { dataOf, LONGEST_RETRY_AFTER_MS, waitAfter } from './response.ts'

const JSON_TYPE = 'application/json'

/** Performs an operation, including attempts, waits and deadlines. */
export type Transport = <Data>(request: Request<Data>, options?: CreateOptions) => Promise<WithResponse<Data>>

/** The API key stays in closures and private fields, so that printing an object cannot reveal it. */
export function transport(settings: Settings): Transport {
  const { apiKey, baseUrl, announced } = settings
  const redact = (text: string): string => text.replaceAll(apiKey, '[API key]')
  const observe = observer(settings, redact)

  return async (request, options = {}) => {
    checkOptions(options)
    const { attemptTimeoutMs, timeoutMs, maxRetries } = { ...settings, ...definedOf(options) }
    const { operation, method, path, body, details, isRepeatable = true } = request
    const { signal, idempotencyKey } = options
    const query = `${new URLSearchParams(entriesOf(request.query) as [string, string][])}`
    const url = `${baseUrl}${path}${query && (path.includes('?') ? '&' : '?')}${query}`
    // Neither the caller's headers nor hooks can replace these.
    const fixed = {
      ...request.headers,
      accept: JSON_TYPE,
      'content-type': body === undefined ? undefined : JSON_TYPE,
      'idempotency-key': idempotencyKey,
    }
    const headers = headersOf(settings.headers, options.headers, fixed)
    const deadline = performance.now() + timeoutMs
    let waitMs = 0
    let isSent = false
    let isUnknown = false
    for (let attempt = 1; ; attempt++) {
      try {
        if (waitMs) await sleep(waitMs, signal)
        return await send(attempt)
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error
        // A rejected retry says nothing about an earlier attempt.
        isUnknown ||= isSent && !isNotDone(error)
        isSent = false
        describe(error, { idempotencyKey, outcomeUnknown: body && isUnknown, ...details })
        waitMs = waitAfter(attempt, error)
        // Throws the failure itself, which is more specific than a timeout.
        const { retryAfterMs = 0 } = error
        const isTooLong = retryAfterMs > LONGEST_RETRY_AFTER_MS || performance.now() + waitMs >= deadline
        if (!isRepeatable || attempt > maxRetries || !error.retryable || isTooLong) throw error
        observe('onRetry', { operation, attempt, error, waitMs })
      }
    }

    async function send(attempt: number) {
      const start = performance.now()
      const leftMs = deadline - start
      const isLast = leftMs < attemptTimeoutMs
      const limit = isLast ? `timeoutMs (${timeoutMs})` : `attemptTimeoutMs (${attemptTimeoutMs})`
      const late = async () => {
        const message = `No response from ${baseUrl} within ${limit}, attempt ${attempt}.`
        throw new TimeoutError('timeout', message, { retryable: true })
      }
      const exchange = async (ending: AbortSignal) => {
        const shown = new Headers(headers)
        await observe('onRequest', { operation, attempt, method, url, headers: shown })
        // A copy, because a hook may keep the headers that it was shown.
        const sent = headersOf(shown, fixed)
        sent.set('authorization', `Bearer ${apiKey}`)
        isSent = true
        const response = await (settings.fetch ?? fetch)(url, {
          method,
          headers: sent,
          // Following a redirect could send the key elsewhere, or turn a create into a read.
          redirect: 'manual',
          signal: ending,
          body: body ?? null,
        })
        return { response, text: await response.text() }
      }
      const { response, text } = await within(
        Math.min(attemptTimeoutMs, leftMs),
        signal,
        late,
        exchange,
      ).catch(cause => {
        throw cause instanceof PetstoreError ? cause : connectionError(baseUrl, cause)
      })
      const info = infoOf(response.status, response.headers, attempt)
      observe('onResponse', { ...info, operation, attempt, durationMs: performance.now() - start })
      announceDeprecation(operation, response.headers)
      return { ...info, data: dataOf(info, text, redact, request) }
    }
  }

  function announceDeprecation(operation: RequestedOperation, headers: Headers): void {
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

/** For anything that `fetch` throws. */
function connectionError(server: string, cause: unknown): ConnectionError {
  const code = codeOf(cause)
  // No retry changes a certificate.
  const untrusted = /CERT|LEAF/.test(code)
  const message = untrusted
    ? `The certificate of ${server} is not trusted: ${code}.`
    : `The connection to ${server} failed${code && ` (${code})`}.`
  return new ConnectionError('connection_failed', message, { retryable: !untrusted, cause })
}

/** Whether the request was surely not carried out: it was rejected, nothing was stored, or the connection was never open. */
function isNotDone({ status = 0, code, cause }: PetstoreError): boolean {
  const isRejected = status >= 300 && status < 500 && status !== 409
  return isRejected || code === 'unavailable' || /REFUSED|NOTFOUND|UNREACH|CERT|LEAF/.test(codeOf(cause))
}

/** The runtime's code, such as ECONNREFUSED, or nothing. Node wraps the error that has it in another one. */
function codeOf(error: unknown): string {
  const { code, cause } = Object(error)
  return typeof code === 'string' ? code : cause ? codeOf(cause) : ''
}

/** Later headers take precedence. Names are compared case-insensitively. */
function headersOf(...all: (HeadersInput | undefined)[]): Headers {
  const headers = new Headers(isBrowser() ? {} : { 'user-agent': `petstore-client/${VERSION}` })
  for (const some of all)
    for (const [name, value] of some && Symbol.iterator in some ? some : entriesOf(some))
      headers.set(name, value as string)
  // Only the client sets the key, and hooks must not see it.
  headers.delete('authorization')
  return headers
}
