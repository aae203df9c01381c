import type { MaybePromise, Revision, Store } from '../store/store.ts'
import type { Representation } from './response.ts'

/** Maximum size of one operation's cache, in all threads of a service together. */
export const MAX_BYTES = 8 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 1024

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
  readonly #maxBytes: number
  /**
   * Two generations: what is in use moves to the new one, and the old one goes as a whole. To remove the oldest entry of a map one
   * by one would take a walk over all places that were emptied before.
   */
  #recent = new Map<string, Entry>()
  #older = new Map<string, Entry>()
  #recentBytes = 0
  #epoch = 0

  constructor(store: Pick<Store, 'epoch' | 'revision'>, maxBytes = MAX_BYTES) {
    this.#store = store
    this.#maxBytes = maxBytes
  }

  has(key: string): boolean {
    return this.#recent.has(key) || this.#older.has(key)
  }

  /** The response, if it is still true; a promise if the store must be asked whether it is. */
  get(key: string): MaybePromise<Representation | undefined> {
    const entry = this.#find(key)
    if (entry === undefined || entry.revision === FOREVER) return this.#counted(entry)
    const revision = this.#store.revision()
    if (!(revision instanceof Promise)) return this.#counted(entry.revision === revision ? entry : undefined)
    return revision.then(asked => {
      // Meanwhile the epoch of the store may have changed, and the entry.
      const present = this.#find(key)
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
    const weight = representation.body.length + key.length + ENTRY_OVERHEAD
    this.#keep(key, { representation, revision, weight })
  }

  #counted(entry: Entry | undefined): Representation | undefined {
    if (entry === undefined) this.misses++
    else this.hits++
    return entry?.representation
  }

  #find(key: string): Entry | undefined {
    this.#forgetOtherEpoch()
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.#keep(key, older)
    return older
  }

  #keep(key: string, entry: Entry): void {
    this.#recentBytes += entry.weight - (this.#recent.get(key)?.weight ?? 0)
    this.#recent.set(key, entry)
    if (this.#recentBytes <= this.#maxBytes / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
    this.#recentBytes = 0
  }

  #forgetOtherEpoch(): void {
    const epoch = this.#store.epoch()
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    this.#recent.clear()
    this.#older.clear()
    this.#recentBytes = 0
  }
}
