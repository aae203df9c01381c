import type { Observe } from '../observability/events.ts'
import type { DeprecatedCalls, DeprecationStore } from '../store/store.ts'

const EVERY_MS = 5000

/**
 * Counts who still calls deprecated operations: in memory while requests come, in the store every 5 seconds and at the end. A
 * process that is killed loses its last 5 seconds.
 */
export class DeprecatedCallCount {
  readonly #store: DeprecationStore
  readonly #observe: Observe
  /** Calls not yet stored, by operation and key. Only accepted keys count, so they are bounded. */
  readonly #calls: Record<string, Map<string, number>> = {}
  readonly #timer: Timer
  #writing: Promise<void> = Promise.resolve()

  constructor(store: DeprecationStore, observe: Observe) {
    this.#store = store
    this.#observe = observe
    this.#timer = setInterval(() => void this.#write(), EVERY_MS)
  }

  readonly count = (operation: string, keyId: string): void => this.#add(operation, keyId, 1)

  /** Stores what is left and ends. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#write()
  }

  #add(operation: string, keyId: string, calls: number): void {
    this.#calls[operation] ??= new Map()
    const byKey = this.#calls[operation]
    byKey.set(keyId, (byKey.get(keyId) ?? 0) + calls)
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow())
    return this.#writing
  }

  async #writeNow(): Promise<void> {
    const taken = this.#take(new Date())
    if (taken.length === 0) return
    try {
      await this.#store.record(taken)
    } catch (cause) {
      // They are retried in 5 seconds; a write that succeeded without a response is then counted twice.
      for (const { operation, keyId, calls } of taken) this.#add(operation, keyId, calls)
      this.#observe({ kind: 'background-task-failed', task: 'counting deprecated calls', cause })
    }
  }

  #take(lastAt: Date): DeprecatedCalls[] {
    return Object.entries(this.#calls).flatMap(([operation, byKey]) => {
      const taken = [...byKey].map(([keyId, calls]) => ({ keyId, operation, calls, lastAt }))
      byKey.clear()
      return taken
    })
  }
}
