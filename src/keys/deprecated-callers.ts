import type { DeprecatedCalls, DeprecationStore } from '../store/store.ts'

const EVERY_MS = 10_000

/** Recent callers of deprecated operations, on all instances; cached, so that a scrape never waits for the store. */
export class DeprecatedCallers {
  readonly #store: DeprecationStore
  readonly #timer: Timer
  #known: readonly DeprecatedCalls[] = []

  constructor(store: DeprecationStore) {
    this.#store = store
    this.#timer = setInterval(() => void this.#refresh(), EVERY_MS)
    void this.#refresh()
  }

  readonly latest = (): readonly DeprecatedCalls[] => this.#known

  close(): void {
    clearInterval(this.#timer)
  }

  async #refresh(): Promise<void> {
    try {
      this.#known = await this.#store.list()
    } catch {
      // The store does not respond, which other metrics show; the last known values stay.
    }
  }
}
