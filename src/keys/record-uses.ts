import type { Observe } from '../observability/events.ts'
import type { KeyStore } from '../store/store.ts'
import type { KeyRing } from './key-ring.ts'

const EVERY_MS = 5000

/** Periodically stores when each key was last used; the returned function does so once more and stops. */
export function recordKeyUses(ring: KeyRing, keys: KeyStore, observe: Observe): () => Promise<void> {
  let recordedUpTo = 0
  const record = async (): Promise<void> => {
    const uses = ring.usesSince(recordedUpTo)
    recordedUpTo = performance.now()
    if (uses.length === 0) return
    try {
      await keys.recordUses(uses)
    } catch (cause) {
      observe({ kind: 'background-task-failed', task: 'recording when API keys were last used', cause })
    }
  }
  const timer = setInterval(record, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await record()
  }
}
