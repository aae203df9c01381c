import { closeSync, openSync } from 'node:fs'
import type { Observe } from '../observability/events.ts'
import { codeOf } from '../operator-error.ts'

const LOOK_EVERY_MS = 500
const REST_MS = 4
const SAY_EVERY_MS = 60_000

/**
 * Out of file descriptors, the runtime tries to accept the next connection over and over, at the cost of a whole core. A short
 * rest in every turn of the event loop leaves the core to others; those already connected are still served. Returns its end.
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

/** Tried rather than counted: it takes microseconds, however many there are. */
function hasDescriptorLeft(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'))
    return true
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(codeOf(error))
  }
}
