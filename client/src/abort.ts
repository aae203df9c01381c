import { AbortedError } from './errors.ts'

/** The longest delay of a timer; a longer one fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** One listener per signal, however many calls use it, because Node warns of a leak at the eleventh. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when the signal is aborted; returns a function that unsubscribes. */
function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {}
  const callbacks = listeners.get(signal) ?? new Set()
  if (!listeners.has(signal))
    signal.addEventListener('abort', () => {
      for (const call of callbacks) call()
    })
  listeners.set(signal, callbacks.add(callback))
  return () => callbacks.delete(callback)
}

/**
 * Settles with the work or earlier: as `late` does when the time is up, or with an AbortedError when the signal is aborted. The
 * work gets its own signal; if it ignores that, nothing waits for it.
 */
export function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  late: () => Promise<Result>,
  work?: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let leave = () => {}
  return new Promise<Result>((resolve, reject) => {
    const abort = () =>
      reject(new AbortedError('aborted', 'The call was aborted.', { cause: signal?.reason }))
    // Before the timer, which nobody would stop if this threw.
    const forget = onAbort(signal, abort)
    const timer = setTimeout(() => resolve(late()), Math.min(ms, LONGEST_TIMER_MS))
    leave = () => {
      clearTimeout(timer)
      forget()
    }
    if (signal?.aborted) abort()
    else work?.(controller.signal).then(resolve, reject)
  }).finally(() => {
    leave()
    controller.abort()
  })
}

/** Rejects immediately when the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  within(ms, signal, async () => {})
