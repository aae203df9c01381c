import { conditional, type Representation } from '../http/representation.ts'
import type { ResponseDraft } from '../http/response.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { FOREVER, type Revision, type Store } from '../store/store.ts'

/** Maximum size of one operation's cache, in all threads of a service together. */
export const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 1024

export { FOREVER }

/** A representation that was just read, and until which revision of the store it is valid. */
interface Fresh {
  readonly representation: Representation
  readonly revision: Revision
}

interface Entry extends Fresh {
  readonly weight: number
}

/**
 * Caches one operation's responses by request. Animals are only appended, so a single animal and a page that has a next page never
 * change. A last page is valid for one store revision. A new epoch invalidates everything.
 */
export class ResponseCache {
  readonly reads = { hits: 0, misses: 0 }
  readonly #store: Pick<Store, 'epoch' | 'revision'>
  readonly #maxBytes: number
  /**
   * Two generations: entries in use move to the new one, and the old one is dropped whole. Evicting the oldest map entries one by
   * one would rescan the slots deleted before.
   */
  #recent = new Map<string, Entry>()
  #older = new Map<string, Entry>()
  #recentBytes = 0
  #epoch = 0

  constructor(store: Pick<Store, 'epoch' | 'revision'>, maxBytes = MAX_CACHE_BYTES) {
    this.#store = store
    this.#maxBytes = maxBytes
  }

  /** Responds from memory, or reads, caches and responds. */
  respond(
    key: string,
    headers: Headers,
    read: (key: string) => MaybePromise<Fresh>,
  ): MaybePromise<ResponseDraft> {
    const cached = this.get(key)
    if (cached !== undefined && !(cached instanceof Promise)) return conditional(headers, cached)
    return whenReady(cached, known =>
      whenReady(known ?? this.#read(key, read), found => conditional(headers, found)),
    )
  }

  #read(key: string, read: (key: string) => MaybePromise<Fresh>): MaybePromise<Representation> {
    const epoch = this.#store.epoch()
    return whenReady(read(key), fresh => {
      this.set(key, fresh, epoch)
      return fresh.representation
    })
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
      // By now the epoch of the store may have changed, and the entry.
      const present = this.#find(key)
      const isTrue = present?.revision === asked || present?.revision === FOREVER
      return this.#counted(isTrue ? present : undefined)
    })
  }

  /** Epoch and revision are taken before the read: an addition during the read makes the entry stale, never wrong. */
  set(key: string, { representation, revision }: Fresh, epoch: number): void {
    if (epoch !== this.#store.epoch()) return
    this.#forgetOtherEpoch()
    const weight = representation.body.length + key.length + ENTRY_OVERHEAD
    this.#keep(key, { representation, revision, weight })
  }

  #counted(entry: Entry | undefined): Representation | undefined {
    if (entry === undefined) this.reads.misses++
    else this.reads.hits++
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
