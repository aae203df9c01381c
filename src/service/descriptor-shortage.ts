import { closeSync, openSync } from 'node:fs'
import type { Observe } from '../observability/events.ts'
import { codeOf } from '../operator-error.ts'

const LOOK_EVERY_MS = 500
const REST_MS = 4
const SAY_EVERY_MS = 60_000

/**
 * When it is out of file descriptors, the runtime retries to accept the next connection in a loop that uses a whole
 * core. A short pause in every turn of the event loop frees the core, and open connections are still served. Returns a
 * function that stops it.
 */
export function restWhileOutOfDescriptors(observe: Observe): () => void {
  let isResting = false
  let isOver = false
  let saidAt = Number.NEGATIVE_INFINITY

  function look(): void {
    if (isResting || hasDescriptorLeft()) return
    isResting = true
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      saidAt = performance.now()
      observe({ kind: 'out-of-descriptors' })
    }
    rest()
  }

  function rest(): void {
    isResting = !isOver && !hasDescriptorLeft()
    if (!isResting) return
    Bun.sleepSync(REST_MS)
    setImmediate(rest)
  }

  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** Opens one instead of counting: that takes microseconds, however many are open. */
function hasDescriptorLeft(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(codeOf(error))
  }
}
