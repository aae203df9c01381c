import type { Event, Observe } from '../observability/events.ts'
import type { DeprecatedCalls, DeprecationStore } from '../store/store.ts'

const EVERY_MS = 5000

/**
 * Counts who still calls what is to be removed: in memory while requests come, in the store every 5 seconds and at the end. A
 * process that is killed loses its last 5 seconds.
 */
export class DeprecatedCallCount {
  readonly #store: DeprecationStore
  readonly #report: Observe
  /** Calls not yet written down, by key, for each operation. Keys are those that were let in, so they are bounded. */
  readonly #calls: ReadonlyMap<string, Map<string, number>>
  readonly #timer: Timer
  #writing: Promise<void> = Promise.resolve()

  constructor(operations: readonly string[], store: DeprecationStore, report: Observe) {
    this.#store = store
    this.#report = report
    this.#calls = new Map(operations.map(operation => [operation, new Map()]))
    this.#timer = setInterval(() => void this.#write(), EVERY_MS)
  }

  readonly observe = (event: Event): void => {
    if (event.kind !== 'request' || event.keyId === undefined) return
    const byKey = this.#calls.get(event.operation)
    if (byKey !== undefined) byKey.set(event.keyId, (byKey.get(event.keyId) ?? 0) + 1)
  }

  /** Writes down what is left and ends. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#write()
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow())
    return this.#writing
  }

  async #writeNow(): Promise<void> {
    const calls = this.#take(new Date())
    if (calls.length === 0) return
    try {
      await this.#store.record(calls)
    } catch (cause) {
      this.#putBack(calls)
      this.#report({ kind: 'background-task-failed', task: 'counting deprecated calls', cause })
    }
  }

  #take(lastAt: Date): DeprecatedCalls[] {
    return [...this.#calls].flatMap(([operation, byKey]) => {
      const taken = [...byKey].map(([keyId, calls]) => ({ keyId, operation, calls, lastAt }))
      byKey.clear()
      return taken
    })
  }

  /** They are tried again in 5 seconds; one that was written without our hearing of it then counts twice. */
  #putBack(calls: readonly DeprecatedCalls[]): void {
    for (const { keyId, operation, calls: count } of calls) {
      const byKey = this.#calls.get(operation)
      byKey?.set(keyId, (byKey.get(keyId) ?? 0) + count)
    }
  }
}
