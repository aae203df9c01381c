import {
  type Pet,
  type PetStatus,
  type Pets,
  type PetstoreError,
  RateLimitError,
} from '../../../client/src/index.ts'
import { LIMIT_MAX } from '../../../src/contract/limits.ts'
import { Observed } from '../parts/hooks.ts'
import { failureOf, petsApi } from '../session/api.ts'

/** If a rate limit does not say how long it lasts. */
const USUAL_WAIT_MS = 5000
/** From so many animals on, reading takes long enough that it is worth reading those of one status first. */
export const MANY = 10_000
/** Under a rate limit, this share of the requests is left for adding animals. */
const SHARE_LEFT = 1 / 4

/**
 * The store's animals: for the list, the counts, the search and comparisons, and to notice new ones. Nothing is shown before all
 * have been read, because no order, count or comparison of a part is right. Animals are never changed or removed, so later only
 * the last page is read again.
 */
export class PetIndex {
  readonly state = new Observed<PetIndex>(this)
  /** All that are shown, in ascending order of ID; none until all have been read. It is another array whenever there are more. */
  pets: readonly Pet[] = []
  /** Animals that others have added since the list was last shown. */
  news: readonly Pet[] = []
  isReading = false
  /** When the last page was asked for that has been read: later animals may be missing. Undefined until all have been read. */
  readAt: number | undefined
  failure: PetstoreError | undefined
  /** Whether a rate limit makes reading take longer. */
  isLimited = false
  /** The animals of the status that is read first, if there are many. It is dropped when all have been read. */
  part: PetIndex | undefined
  readonly status: PetStatus | undefined
  readonly #apiKey: string
  readonly #api: Pets
  #read: Pet[] = []
  /** How many of those that were read are shown. The others are news. */
  #shown = 0
  /** The next page to read, or the last one, and the number of animals before it. */
  #page: { readonly cursor?: string; readonly start: number } = { start: 0 }
  /** Animals that this page has added itself. They are never news, and are shown before they are read. */
  readonly #own = new Map<bigint, Pet>()
  #mostRemaining = 0
  #stopping = new AbortController()
  /** Requested while something else was being read. */
  #isRefreshWanted = false

  constructor(apiKey: string, status?: PetStatus) {
    this.#apiKey = apiKey
    this.#api = petsApi(apiKey)
    this.status = status
  }

  get isComplete(): boolean {
    return this.readAt !== undefined
  }

  get count(): number {
    return this.#read.length
  }

  /** Whether there are so many that those of one status may be wanted first, and none was chosen yet. */
  get offersStatus(): boolean {
    return this.count >= MANY && this.part === undefined
  }

  /** Reads the animals of this status before the others, if there are many. */
  readFirst(status: PetStatus | undefined): void {
    if (this.isComplete || this.part?.status === status) return
    this.part?.stop()
    this.part = status && new PetIndex(this.#apiKey, status)
    this.part?.state.follow(() => this.state.set(this))
  }

  /** What can be listed for a status: all animals, or its own while the others are being read. */
  listed(status: PetStatus | undefined): PetIndex {
    const { part } = this
    return !this.isComplete && part?.isComplete && part.status === status ? part : this
  }

  /** Continues where reading stopped: on the last page, to look for new animals, or after a failure. */
  async refresh(): Promise<void> {
    if (this.isReading) {
      this.#isRefreshWanted = true
      return
    }
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    this.isReading = true
    this.#isRefreshWanted = false
    this.state.set(this)
    try {
      let askedAt = Date.now()
      for (; await this.#readPage(signal); askedAt = Date.now()) {
        this.state.setSoon(this)
        if (this.count >= MANY) await this.#readPart()
      }
      if (!this.isComplete) this.#shown = this.#read.length
      this.readAt = askedAt
      this.part = undefined
    } catch (error) {
      if (!signal.aborted) this.failure = failureOf(error)
    }
    this.isReading = false
    this.#show()
    if (this.#isRefreshWanted && !signal.aborted) await this.refresh()
  }

  stop(): void {
    this.part?.stop()
    this.#stopping.abort()
  }

  /** Notes an animal that this page has added, which may have been read before. */
  own(pet: Pet): void {
    this.#own.set(pet.id, pet)
    if (this.news.some(({ id }) => id === pet.id)) this.#show()
  }

  /** Shows an animal that this page has added, without another request. After trouble, it means that the service is back. */
  add(pet: Pet): void {
    this.#own.set(pet.id, pet)
    if (pet.status === this.part?.status) this.part.add(pet)
    this.#show()
    if (this.failure) void this.refresh()
  }

  showNews(): void {
    this.#shown = this.#read.length
    this.#show()
  }

  /** Reads one page. Returns whether there is more to read. */
  async #readPage(signal: AbortSignal): Promise<boolean> {
    const { start, ...cursor } = this.#page
    const reading = this.#api
      .list({ limit: LIMIT_MAX, status: this.status, ...cursor }, { signal })
      .withResponse()
    const response = await reading.catch((error: unknown) => {
      if (error instanceof RateLimitError) return error
      throw error
    })
    signal.throwIfAborted()
    this.failure = undefined
    if (response instanceof RateLimitError) {
      await this.#waitForRoom(signal, response.retryAfterMs)
      return true
    }
    const { data, rateLimit } = response
    const known = this.#read.splice(start)
    // This is a different store, because its file was replaced by an older one.
    if (known.at(-1)?.id !== data.items[known.length - 1]?.id) {
      this.#startOver()
      return true
    }
    this.#read.push(...data.items)
    if (data.nextCursor === null) return false
    this.#page = { cursor: data.nextCursor, start: this.#read.length }
    const { remaining = Infinity, resetMs } = rateLimit ?? {}
    if (rateLimit) this.#mostRemaining = Math.max(this.#mostRemaining, remaining)
    if (remaining < this.#mostRemaining * SHARE_LEFT) await this.#waitForRoom(signal, resetMs)
    return true
  }

  async #readPart(): Promise<void> {
    const { part } = this
    if (!part || part.isComplete) return
    await part.refresh()
    if (part.failure) throw part.failure
  }

  async #waitForRoom(signal: AbortSignal, ms = USUAL_WAIT_MS): Promise<void> {
    this.isLimited = true
    this.state.set(this)
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    await new Promise(resolve => over.addEventListener('abort', resolve))
    signal.throwIfAborted()
  }

  #startOver(): void {
    this.part?.stop()
    this.part = undefined
    this.#read = []
    this.#page = { start: 0 }
    this.#own.clear()
    this.readAt = undefined
    this.pets = []
    this.news = []
  }

  #show(): void {
    if (this.isComplete) {
      const read = this.#read.slice(0, this.#shown)
      const last = read.at(-1)?.id ?? 0n
      const own = [...this.#own.values()].filter(({ id }) => id > last)
      const pets = read.concat(own.sort((one, other) => (one.id < other.id ? -1 : 1)))
      if (pets.length !== this.pets.length) this.pets = pets
      this.news = this.#read.slice(this.#shown).filter(({ id }) => !this.#own.has(id))
    }
    this.state.set(this)
  }
}
