import { closeSync, openSync } from 'node:fs'
import type { Observe } from '../observability/events.ts'
import { codeOf } from '../operator-error.ts'

/**
 * Out of file descriptors, the runtime retries to accept the next connection in a loop that takes a whole core. A pause in
 * every turn of the event loop frees it, and open connections are still served. Returns a function that stops the watch.
 */
export function pauseWhileOutOfDescriptors(observe: Observe): () => void {
  let [isOut, reportedAt] = [false, Number.NEGATIVE_INFINITY]
  const pause = (): void => {
    isOut = isOutOfDescriptors()
    if (!isOut) return
    Bun.sleepSync(4)
    setImmediate(pause)
    if (performance.now() - reportedAt < 60_000) return
    reportedAt = performance.now()
    observe({ kind: 'out-of-descriptors' })
  }
  const timer = setInterval(() => isOut || pause(), 1000)
  return () => clearInterval(timer)
}

/** Opens one instead of counting: that takes microseconds, however many are open. */
function isOutOfDescriptors(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'))
    return false
  } catch (error) {
    return ['EMFILE', 'ENFILE'].includes(codeOf(error))
  }
}
