import { ConnectionError, FetchError, PetstoreError, TimeoutError } from '../errors.ts'
import { within } from './abort.ts'

interface Received {
  readonly response: Response
  readonly text: string
}

/** Sends one request and reads its whole response before a deadline. Throws only the client's own errors. */
export async function exchange(
  server: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  send: (ending: AbortSignal) => Promise<Response>,
): Promise<Received> {
  try {
    return await within<Received>(
      timeoutMs,
      signal,
      (_, reject) =>
        reject(new TimeoutError('timeout', `No answer from ${server} in time.`, { retryable: true })),
      async ending => {
        const response = await send(ending)
        return { response, text: await response.text() }
      },
    )
  } catch (cause) {
    if (cause instanceof PetstoreError) throw cause
    throw isFault(cause)
      ? new FetchError('fetch_failed', `fetch has a fault: ${cause}`, { cause })
      : new ConnectionError('connection_failed', `No connection to ${server}, or it broke.`, {
          retryable: true,
          cause,
        })
  }
}

/**
 * Whether a bug in the code is the cause, so that a repeat would not help. On most runtimes networks fail with a TypeError too;
 * engines word their own as `x is not a function` or `Cannot read properties of undefined`.
 */
const isFault = (error: unknown): boolean =>
  !Object(error).cause &&
  /^(Reference|Range|Syntax)Error|^TypeError.*(is not |undefined|null|cannot|can't)/i.test(`${error}`)
