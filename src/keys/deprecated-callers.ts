import type { DeprecatedCalls, DeprecationStore } from '../store/store.ts'

const EVERY_MS = 10_000

/** Who called what is to be removed, on all instances, as of a moment ago: a scrape never waits for the store. */
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
      // The store cannot answer, which other metrics tell; what was known stays.
    }
  }
}
