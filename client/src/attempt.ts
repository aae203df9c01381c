import { AbortedError, ConnectionError, TimeoutError } from './errors.ts'

/** The longest that timers can wait; beyond it they fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface Received {
  response: Response
  text: string
}

/** One request and its whole answer within a deadline. Throws only errors of ours. */
export async function attempt(
  send: (signal: AbortSignal) => Promise<Response>,
  server: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  throwIfAborted(signal)
  // By hand, since AbortSignal.any is younger than the runtimes we serve.
  const controller = new AbortController()
  const end = () => controller.abort()
  const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal?.addEventListener('abort', end)
  try {
    const response = await send(controller.signal)
    return { response, text: await response.text() }
  } catch (cause) {
    throwIfAborted(signal)
    if (controller.signal.aborted)
      throw new TimeoutError('timeout', `No answer from ${server} within ${Math.round(timeoutMs)} ms.`, {
        cause,
      })
    throw new ConnectionError(
      'connection_failed',
      `${server} could not be reached, or the connection broke.`,
      {
        cause,
      },
    )
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/** Rejects at once when the caller's signal says so. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      signal?.aborted ? reject(abortedBy(signal)) : resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedBy(signal)
}

const abortedBy = (signal: AbortSignal): AbortedError =>
  new AbortedError('aborted', 'The call was aborted.', { cause: signal.reason })
