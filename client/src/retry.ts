import type { PetstoreError } from './errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8000

/** All requests are safe to repeat: reads are, and a create carries its idempotency key. */
export function isWorthRetrying({ code, status }: PetstoreError): boolean {
  // In progress: our own earlier attempt, cut off, is still at work over there.
  return (
    code === 'connection_failed' ||
    code === 'timeout' ||
    code === 'idempotency_in_progress' ||
    status === 429 ||
    (status !== undefined && status >= 502 && status <= 504)
  )
}

/** Grows with each retry and differs for each caller; never shorter than the service asked for. */
export function waitBefore(retry: number, { retryAfterMs = 0 }: PetstoreError): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS)
  return retryAfterMs + backoff * (retryAfterMs ? Math.random() / 2 : (1 + Math.random()) / 2)
}

/** Retry-After in milliseconds: it holds seconds or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? +text * 1000 : Date.parse(text) - Date.now()
  return ms >= 0 ? ms : undefined
}
