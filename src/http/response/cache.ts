import type { MaybePromise, Revision, Store } from '../../store/store.ts'
import type { Representation } from './conditional.ts'

export const MAX_BYTES = 8 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 2048

/** Instead of a revision of the store: no addition can change the answer. */
export const FOREVER = -1

/** What an answer is true for. Taken before the read: what comes in between makes the entry stale at once, never wrong. */
interface Validity {
  readonly epoch: number
  readonly revision: Revision
}

/** How often an answer was cached, and how often it had to be read. */
interface CacheTally {
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
  readonly revision: Revision
  readonly weight: number
}

/**
 * Answers that are still true. Animals are only ever added at the end, so an animal and a page with followers stay as they are;
 * a last page is true for one revision of the store. All of them are true for one epoch of it.
 */
export class RepresentationCache {
  readonly #store: Pick<Store, 'epoch' | 'revision'>
  readonly #tally: CacheTally
  readonly #entries = new Map<string, Entry>()
  #epoch = 0
  #bytes = 0

  constructor(store: Pick<Store, 'epoch' | 'revision'>, tally: CacheTally) {
    this.#store = store
    this.#tally = tally
  }

  /** What is made of the answer, if it is still true. */
  get<T>(key: string, use: (known: Representation) => T): MaybePromise<T | undefined> {
    const entry = this.#entryOf(key)
    if (entry === undefined || entry.revision === FOREVER) return this.#counted(entry, use)
    const judge = (revision: Revision): T | undefined => {
      // While the store was asked, its epoch may have changed, and the entry.
      const present = this.#entryOf(key)
      const isTrue = present?.revision === revision || present?.revision === FOREVER
      return this.#counted(isTrue ? present : undefined, use)
    }
    const revision = this.#store.revision()
    return revision instanceof Promise ? revision.then(judge) : judge(revision)
  }

  set(key: string, representation: Representation, { epoch, revision }: Validity): void {
    if (epoch !== this.#store.epoch()) return
    this.#forgetOtherHistory()
    this.#remove(key)
    const weight = (representation.full.body?.length ?? 0) + key.length + ENTRY_OVERHEAD
    this.#entries.set(key, { representation, revision, weight })
    this.#bytes += weight
    // A map keeps its order of insertion, so the oldest entry is first.
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES) return
      this.#remove(oldest)
    }
  }

  #counted<T>(entry: Entry | undefined, use: (known: Representation) => T): T | undefined {
    this.#tally[entry === undefined ? 'misses' : 'hits']++
    return entry && use(entry.representation)
  }

  #entryOf(key: string): Entry | undefined {
    this.#forgetOtherHistory()
    return this.#entries.get(key)
  }

  #forgetOtherHistory(): void {
    const epoch = this.#store.epoch()
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    this.#entries.clear()
    this.#bytes = 0
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
