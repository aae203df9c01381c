import { conditional, type Representation } from '../http/representation.ts'
import type { ResponseDraft } from '../http/response.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'

/** Maximum size of one operation's cache, in all threads of a service together. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** Approximate size of an entry's headers and bookkeeping. */
const ENTRY_OVERHEAD = 1024

/** A representation that was just read. */
interface Fresh {
  readonly representation: Representation
  /** The only revision of the store for which it is valid; undefined if no added animal can change it. */
  readonly revision: bigint | undefined
}

interface Entry extends Fresh {
  readonly epoch: number
}

/** Animals, and pages with a next page, never change. A last page is valid for one revision of the store, all entries for one epoch. */
export class ResponseCache {
  readonly reads = { hits: 0, misses: 0 }
  readonly #store: Pick<Store, 'epoch' | 'revision'>
  readonly #maxBytes: number
  /** Two generations: entries in use move to the new one; the old one is dropped whole. Single evictions rescan deleted slots. */
  #recent = new Map<string, Entry>()
  #older = new Map<string, Entry>()
  #recentBytes = 0

  /** `threads` is the number of threads that share the limit of memory. */
  constructor(store: Pick<Store, 'epoch' | 'revision'>, threads: number) {
    this.#store = store
    this.#maxBytes = MAX_CACHE_BYTES / threads
  }

  /** Responds from memory, or reads, caches and responds. */
  respond(
    key: string,
    headers: Headers,
    read: (key: string) => MaybePromise<Fresh>,
  ): MaybePromise<ResponseDraft> {
    const entry = this.#find(key)
    return whenReady(entry !== undefined && this.#isValid(entry), isValid => {
      if (entry !== undefined && isValid) {
        this.reads.hits++
        return conditional(headers, entry.representation)
      }
      this.reads.misses++
      // Epoch and revision are taken before the read: an animal added during the read makes the entry stale, never wrong.
      const epoch = this.#store.epoch()
      return whenReady(read(key), ({ representation, revision }) => {
        this.#keep(key, { representation, revision, epoch })
        return conditional(headers, representation)
      })
    })
  }

  #isValid({ epoch, revision }: Entry): MaybePromise<boolean> {
    if (revision === undefined) return epoch === this.#store.epoch()
    return whenReady(this.#store.revision(), current => revision === current && epoch === this.#store.epoch())
  }

  #find(key: string): Entry | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.#keep(key, older)
    return older
  }

  #keep(key: string, entry: Entry): void {
    const replaced = this.#recent.get(key)
    this.#recentBytes += weightOf(key, entry) - (replaced ? weightOf(key, replaced) : 0)
    this.#recent.set(key, entry)
    if (this.#recentBytes <= this.#maxBytes / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
    this.#recentBytes = 0
  }
}

const weightOf = (key: string, { representation }: Entry): number =>
  representation.body.length + key.length + ENTRY_OVERHEAD
