import type { Representation } from './conditional.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** Headers and bookkeeping of an entry weigh about this much beside its body. */
const ENTRY_OVERHEAD = 2048

/** The state of the store that an entry is true for; FOREVER where nothing can change it. */
export type Revision = number | undefined
export const FOREVER = -1

/** How often the answer was there, and how often it had to be read. */
export interface CacheTally {
  hits: number
  misses: number
}

/** One for each operation that keeps its answers. */
export type CacheTallies = Readonly<Record<'listPets' | 'getPet', CacheTally>>

export const newTallies = (): CacheTallies => ({
  listPets: { hits: 0, misses: 0 },
  getPet: { hits: 0, misses: 0 },
})

interface Entry {
  readonly representation: Representation
  readonly revision: number
  readonly weight: number
}

/**
 * Answers that are still true. Animals are only ever added at the end, so an animal and a page with followers stay as they are;
 * a last page is true for one revision of the store.
 */
export class RepresentationCache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  get(key: string, currentRevision: () => Revision, tally: CacheTally): Representation | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined && (entry.revision === FOREVER || entry.revision === currentRevision())) {
      tally.hits++
      return entry.representation
    }
    tally.misses++
    return undefined
  }

  set(key: string, representation: Representation, revision: number): void {
    this.#remove(key)
    const weight = (representation.full.body?.length ?? 0) + key.length + ENTRY_OVERHEAD
    this.#entries.set(key, { representation, revision, weight })
    this.#bytes += weight
    // A map keeps its order of insertion, so what goes first came first.
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
