/** One page: the identifiers on it, in the order in which they came. */
export type ReadPage = (after: bigint) => Promise<readonly bigint[]>

/** Pages on and on, as a client does that keeps up with a growing store; ends once told to and nothing follows. */
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

  /** All that shall be seen has been added by now. */
  stopAtTheEnd(): void {
    this.#isLast = true
  }
}

/** What a client that paged through missed or saw twice, in the light of what was added. */
export function faultsOf(seen: readonly bigint[], added: readonly bigint[]) {
  const inOrder = seen.every((id, place) => place === 0 || (seen[place - 1] as bigint) < id)
  const known = new Set(seen)
  return { skipped: added.filter(id => !known.has(id)), repeated: seen.length - known.size, inOrder }
}

export const NO_FAULTS = { skipped: [], repeated: 0, inOrder: true }
