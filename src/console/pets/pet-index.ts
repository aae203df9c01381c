import { InvalidRequestError, type Pet, type Pets, type PetstoreError } from '../../../client/src/index.ts'
import { LIMIT_MAX } from '../../contract/limits.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, type RecordedRequest } from '../session/connect.ts'
import { kept } from '../storage.ts'

/** As many pages as a tab holds easily. From a larger store, it holds these and the newest, unless a person wants all. */
const MOST_PAGES = 100_000 / LIMIT_MAX
/** How many of the newest pages it then holds. The last page's cursor is remembered if the store has more pages than this. */
const NEWEST_PAGES = 1000 / LIMIT_MAX
/** While loading, render again only after the list has grown by this factor, because each render goes over all animals. */
const GROWTH = 1.2
/** The service may ask for one second, but retrying that often would be a nuisance. */
const SHORTEST_RETRY_MS = 5000

interface Page {
  readonly cursor: string | undefined
  readonly pets: readonly Pet[]
  readonly next: string | null
}

/** Consecutive pages. The cursor of the next one is undefined at the beginning of the store, and null after its last page. */
interface Range {
  readonly pages: Page[]
  next: string | null | undefined
}

/**
 * The store's animals, read in the background page by page: for the list, the counts and the search, and to notice new ones.
 * Animals are never changed or removed, so loaded animals stay valid, and only the last page is read again. The API only pages
 * forward, so all pages of a large store are read once; the last page's cursor is remembered and read first from then on.
 */
export class PetIndex {
  readonly state = new Observed<PetIndex>(this)
  /** In ascending order of ID. It is another array whenever there are more. */
  pets: readonly Pet[] = []
  /** Animals that others have added since the list was last shown. */
  news: readonly Pet[] = []
  isReading = false
  /** When the last response arrived. */
  readAt: number | undefined
  failure: PetstoreError | undefined
  /** When a failed request is tried again. */
  retryAt = 0
  exchange: RecordedRequest | undefined
  /** If there is a rate limit, no requests are sent unasked. */
  isLimited = false
  readonly #api: Pets
  #front: Range = { pages: [], next: undefined }
  /** The newest animals, until the front has reached them. */
  #end: Range | undefined
  /** Animals that this page has added itself. They are never news, and are shown before they are read. */
  readonly #own = new Map<bigint, Pet>()
  /** Animals after this one are news. If it is undefined, there is no news. */
  #seen: bigint | undefined
  #stopping = new AbortController()
  #isAllWanted = false
  /** Requested while something else was being read. */
  #isRefreshWanted = false

  constructor(apiKey: string) {
    this.#api = connect(apiKey, exchange => {
      this.exchange = exchange
    })
    const end = kept.end.get()
    if (end !== undefined) this.#end = { pages: [], next: end }
  }

  /** Whether these are all animals. */
  get isComplete(): boolean {
    return this.#end === undefined && this.#front.next === null
  }

  get #pagesWanted(): number {
    if (this.#isAllWanted) return Infinity
    return this.isLimited ? 1 : MOST_PAGES
  }

  /** Looks for new animals on the last page, if it is known, and continues reading where it stopped. */
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
      await this.#lookForNews()
      await this.#readOn()
      this.failure = undefined
    } catch (error) {
      const failure = failureOf(error)
      if (!signal.aborted) this.failure = failure
      this.retryAt = Date.now() + Math.max(failure.retryAfterMs ?? 0, SHORTEST_RETRY_MS)
    }
    this.isReading = false
    this.#show()
    if (this.#isRefreshWanted && !signal.aborted) await this.refresh()
  }

  /** Reads to the last animal, now and after a failure. */
  readAll(): Promise<void> {
    this.#isAllWanted = true
    return this.refresh()
  }

  stop(): void {
    this.#isAllWanted = false
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
    this.#show()
    if (this.failure && this.failure.code !== 'rate_limited') void this.refresh()
  }

  showNews(): void {
    this.#seen = undefined
    this.#show()
  }

  async #lookForNews(): Promise<void> {
    const tail = this.#end ?? this.#front
    const last = tail.pages.at(-1)
    if (tail.next !== null || last === undefined) return
    const page = await this.#read(last.cursor)
    const newest = last.pets.at(-1)?.id
    // This is a different store, because its file was replaced by an older one.
    if (newest !== page.pets[last.pets.length - 1]?.id) return this.#startOver()
    this.#seen ??= newest ?? 0n
    tail.pages.pop()
    append(tail, page)
    while (tail.next !== null) append(tail, await this.#read(tail.next))
  }

  #startOver(): void {
    this.#front = { pages: [], next: undefined }
    this.#end = undefined
    this.#own.clear()
    this.#seen = undefined
    this.pets = []
    kept.end.set(undefined)
  }

  async #readOn(): Promise<void> {
    await this.#readEnd()
    const front = this.#front
    for (let shown = 0; !this.isComplete && front.pages.length < this.#pagesWanted; ) {
      append(front, await this.#read(front.next ?? undefined))
      this.#join()
      if (front.pages.length < shown * GROWTH) continue
      shown = front.pages.length
      this.#show()
    }
    if (this.isComplete && front.pages.length > NEWEST_PAGES) kept.end.set(front.pages.at(-1)?.cursor)
    if (this.isComplete || this.#end || this.isLimited) return
    this.#end = { pages: [], next: front.next }
    await this.#readEnd()
  }

  /** The remembered cursor may be from another store: the service rejects it, or a smaller store has nothing there. */
  async #readEnd(): Promise<void> {
    const end = this.#end
    if (end === undefined) return
    try {
      while (end.next !== null) {
        append(end, await this.#read(end.next))
        end.pages.splice(0, end.pages.length - NEWEST_PAGES)
      }
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error
      end.pages.length = 0
    }
    const last = end.pages.at(-1)
    const isHere = last !== undefined && last.pets.length > 0
    kept.end.set(isHere ? last.cursor : undefined)
    if (isHere) this.#join()
    else this.#end = undefined
    this.#show()
  }

  /** Once the front has reached the end, they are one. If it has passed the end's cursor, that was from another store. */
  #join(): void {
    const front = this.#front
    const first = this.#end?.pages[0]
    if (!this.#end || !first) return
    const isReached = front.next === first.cursor
    if (isReached) for (const page of this.#end.pages) append(front, page)
    const reached = front.pages.at(-1)?.pets.at(-1)?.id ?? 0n
    if (isReached || front.next === null || reached >= (first.pets[0]?.id ?? 0n)) this.#end = undefined
  }

  async #read(cursor: string | undefined): Promise<Page> {
    const { signal } = this.#stopping
    const { data, rateLimit } = await this.#api.list({ limit: LIMIT_MAX, cursor }, { signal }).withResponse()
    if (rateLimit) this.isLimited = true
    signal.throwIfAborted()
    this.readAt = Date.now()
    this.failure = undefined
    return { cursor, pets: data.items, next: data.nextCursor }
  }

  #show(): void {
    const read = [...this.#front.pages, ...(this.#end?.pages ?? [])].flatMap(({ pets }) => pets)
    const seen = this.#seen
    const unseen = read.splice(read.findLastIndex(({ id }) => seen === undefined || id <= seen) + 1)
    this.news = unseen.filter(({ id }) => !this.#own.has(id))
    const last = read.at(-1)?.id ?? 0n
    const own = [...this.#own.values()].filter(({ id }) => id > last)
    own.sort((one, other) => (one.id < other.id ? -1 : 1))
    // Alone, they would look like the whole store.
    const pets = this.readAt === undefined ? [] : read.concat(own)
    if (pets.length !== this.pets.length) this.pets = pets
    this.state.set(this)
  }
}

function append(range: Range, page: Page): void {
  range.pages.push(page)
  range.next = page.next
}
