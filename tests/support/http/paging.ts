/** Reads one page: its identifiers, in the order received. */
export type ReadPage = (after: bigint) => Promise<readonly bigint[]>

/** Keeps paging like a client that follows a growing store. Ends once it is told to and no more pages follow. */
export class Follower {
  readonly seen: bigint[] = []
  readonly #readPage: ReadPage
  #isLast = false

  constructor(readPage: ReadPage) {
    this.#readPage = readPage
  }

  async follow(): Promise<void> {
    for (;;) {
      const isLast = this.#isLast
      const page = await this.#readPage(this.seen.at(-1) ?? 0n)
      this.seen.push(...page)
      if (isLast && page.length === 0) return
    }
  }

  /** Call this when everything to be seen has been added. */
  stopAtTheEnd(): void {
    this.#isLast = true
  }
}

/** The animals that a paging client missed or saw twice. */
export function faultsOf(seen: readonly bigint[], added: readonly bigint[]) {
  const inOrder = seen.every((id, place) => place === 0 || (seen[place - 1] as bigint) < id)
  const known = new Set(seen)
  return { skipped: added.filter(id => !known.has(id)), repeated: seen.length - known.size, inOrder }
}

export const NO_FAULTS = { skipped: [], repeated: 0, inOrder: true }
