import type { MaybePromise, Revision, Store } from '../store/store.ts'
import type { Representation } from './response.ts'

export const MAX_BYTES = 16 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 2048

/** Instead of a revision of the store: no addition can change the response. */
export const FOREVER = -1

type CachedOperation = 'listPets' | 'getPet'

/** How often a response was cached, and how often it had to be read. */
export type CacheTallies = Readonly<Record<CachedOperation, { hits: number; misses: number }>>

interface Entry {
  readonly representation: Representation
  readonly revision: Revision
  readonly weight: number
}

/**
 * Responses that are still true, by what was asked for, however it was spelled. Animals are only ever added at the end, so an
 * animal and a page with followers stay as they are; a last page is true for one revision of the store. All of them are true for
 * one epoch of it.
 */
export class ResponseCache {
  readonly tallies: CacheTallies = { listPets: { hits: 0, misses: 0 }, getPet: { hits: 0, misses: 0 } }
  readonly #store: Pick<Store, 'epoch' | 'revision'>
  readonly #entries = new Map<string, Entry>()
  #epoch = 0
  #bytes = 0

  constructor(store: Pick<Store, 'epoch' | 'revision'>) {
    this.#store = store
  }

  /** The response, if it is still true; a promise if the store must be asked whether it is. Operations share the keys. */
  cached(operation: CachedOperation, key: string): MaybePromise<Representation | undefined> {
    const entry = this.#entryOf(key)
    if (entry === undefined || entry.revision === FOREVER) return this.#counted(operation, entry)
    const judge = (revision: Revision): Representation | undefined => {
      // While the store was asked, its epoch may have changed, and the entry.
      const present = this.#entryOf(key)
      const isTrue = present?.revision === revision || present?.revision === FOREVER
      return this.#counted(operation, isTrue ? present : undefined)
    }
    const revision = this.#store.revision()
    return revision instanceof Promise ? revision.then(judge) : judge(revision)
  }

  /** Epoch and revision are taken before the read: what comes in between makes the entry stale at once, never wrong. */
  set(
    key: string,
    representation: Representation,
    { epoch, revision }: { readonly epoch: number; readonly revision: Revision },
  ): void {
    if (epoch !== this.#store.epoch()) return
    this.#forgetOtherEpoch()
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

  #counted(operation: CachedOperation, entry: Entry | undefined): Representation | undefined {
    this.tallies[operation][entry === undefined ? 'misses' : 'hits']++
    return entry?.representation
  }

  #entryOf(key: string): Entry | undefined {
    this.#forgetOtherEpoch()
    return this.#entries.get(key)
  }

  #forgetOtherEpoch(): void {
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
