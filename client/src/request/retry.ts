import type { PetstoreError } from '../errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_BACKOFF_MS = 8000
/** The longest Retry-After that is waited for; with a longer one the call fails at once. */
export const LONGEST_WAIT_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Temporary failures of the service or of a proxy in front of it. Every call is safe to repeat: reads are, and a create carries
 * its idempotency key. 409 means that an earlier attempt is still in progress.
 */
export const isPassing = (status: number, code?: unknown): boolean =>
  /^(408|425|429|50[0234]|52[0-4])$/.test(`${status}`) || code === 'idempotency_in_progress'

/** Grows with each retry, has a random part, and is never shorter than the service requested. */
export function waitAfter(attempt: number, { retryAfterMs = 0 }: PetstoreError): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return retryAfterMs + backoff * (retryAfterMs ? Math.random() / 2 : (1 + Math.random()) / 2)
}

/** Retry-After in milliseconds. The header holds seconds or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? +text * 1000 : Date.parse(text) - Date.now()
  return ms >= 0 ? Math.min(ms, DAY_MS) : undefined
}
