import type { MaybePromise, Revision, Store } from '../store/store.ts'
import type { Representation } from './response.ts'

/** Of one operation. */
export const MAX_BYTES = 8 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 2048

/** Instead of a revision of the store: no addition can change the response. */
export const FOREVER = -1

interface Entry {
  readonly representation: Representation
  readonly revision: Revision
  readonly weight: number
}

/**
 * The responses of an operation that are still true, by what was asked for. Animals are only ever added at the end, so an animal
 * and a page with followers stay as they are; a last page is true for one revision of the store. All of them are true for one
 * epoch of it.
 */
export class ResponseCache {
  hits = 0
  misses = 0
  readonly #store: Pick<Store, 'epoch' | 'revision'>
  readonly #entries = new Map<string, Entry>()
  #epoch = 0
  #bytes = 0

  constructor(store: Pick<Store, 'epoch' | 'revision'>) {
    this.#store = store
  }

  /** The response, if it is still true; a promise if the store must be asked whether it is. */
  get(key: string): MaybePromise<Representation | undefined> {
    this.#forgetOtherEpoch()
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.revision === FOREVER) return this.#counted(entry)
    const revision = this.#store.revision()
    if (!(revision instanceof Promise)) return this.#counted(entry.revision === revision ? entry : undefined)
    return revision.then(asked => {
      // Meanwhile the epoch of the store may have changed, and the entry.
      this.#forgetOtherEpoch()
      const present = this.#entries.get(key)
      const isTrue = present?.revision === asked || present?.revision === FOREVER
      return this.#counted(isTrue ? present : undefined)
    })
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

  #counted(entry: Entry | undefined): Representation | undefined {
    if (entry === undefined) this.misses++
    else this.hits++
    return entry?.representation
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
