import { isSoon } from '../findings.ts'
import type { Observe } from '../observability/events.ts'
import type { KeyStore } from '../store/store.ts'
import type { KeyRing } from './key-ring.ts'
import type { KeyUses } from './key-uses.ts'

/** A process that is killed loses what it has not recorded yet. */
const EVERY_MS = 60_000

interface Recording {
  readonly uses: KeyUses
  readonly keys: Pick<KeyStore, 'recordUses'>
  readonly ring: Pick<KeyRing, 'nextExpiry'>
  readonly observe: Observe
  readonly everyMs: number | undefined
}

/** Periodically records the uses of keys and warns of one that expires soon. The returned function records once more and stops. */
export function recordKeyUses({ uses, keys, ring, observe, everyMs = EVERY_MS }: Recording) {
  const warnedOf = new Set<string>()
  let recording = Promise.resolve()

  function record(): Promise<void> {
    recording = recording
      .then(() => uses.record(keys))
      .catch((cause: unknown) =>
        observe({ kind: 'background-task-failed', task: 'recording the uses of API keys', cause }),
      )
    return recording
  }

  function warn(): void {
    const next = ring.nextExpiry()
    if (next === undefined || !isSoon(next.at)) return
    if (!warnedOf.has(next.keyId))
      observe({ kind: 'key-expires-soon', keyId: next.keyId, expires: next.at.toISOString() })
    warnedOf.add(next.keyId)
  }

  const timer = setInterval(() => {
    void record()
    warn()
  }, everyMs)
  return (): Promise<void> => {
    clearInterval(timer)
    return record()
  }
}
