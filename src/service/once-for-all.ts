import type { Event, Observe } from '../observability/events.ts'

/** Every listener thread notices these, so they leave it as events, which the main thread logs once for the service. */
export const NOTICED_BY_ALL: ReadonlySet<Event['kind']> = new Set([
  'storage-stalled',
  'storage-recovered',
  'key-expires-soon',
  'database-refused',
])

/** Threads refuse a database within about a second of each other. */
const SAME_REFUSAL_MS = 10_000

/** Reports events of listeners. What several threads notice is reported once for the service. */
export function onceForAll(observe: Observe): (thread: string, event: Event) => void {
  const stalled = new Set<string>()
  const expiring = new Set<string>()
  /** By reason, of which there are few. */
  const refusedAt = new Map<string, number>()

  return (thread, event) => {
    const wasStalled = stalled.size > 0
    if (event.kind === 'storage-stalled') {
      stalled.add(thread)
      if (wasStalled) return
    } else if (event.kind === 'storage-recovered') {
      stalled.delete(thread)
      if (stalled.size > 0 || !wasStalled) return
    } else if (event.kind === 'thread-ended') {
      stalled.delete(thread)
    } else if (event.kind === 'key-expires-soon') {
      if (expiring.has(event.keyId)) return
      expiring.add(event.keyId)
    } else if (event.kind === 'database-refused') {
      const last = refusedAt.get(event.reason) ?? Number.NEGATIVE_INFINITY
      refusedAt.set(event.reason, performance.now())
      if (performance.now() - last < SAME_REFUSAL_MS) return
    }
    observe(event)
  }
}
