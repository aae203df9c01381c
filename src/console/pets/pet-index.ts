import {
  InvalidRequestError,
  type Pet,
  type PetPage,
  type Pets,
  type PetstoreError,
} from '../../../client/src/index.ts'
import { LIMIT_MAX } from '../../contract/limits.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, type RecordedRequest } from '../session/connect.ts'
import { kept } from '../storage.ts'
import { PetRange } from './pet-range.ts'

/** As many animals as a tab holds easily. From a larger store, it holds these and the newest, unless a person wants all. */
const MOST = 100_000
/** How many of the newest it then holds. The cursor of the last page is remembered if the store has more than this. */
const MANY = 1000
/** While loading, render again only after the list has grown by this factor, because each render goes over all animals. */
const GROWTH = 1.2
/** The service may ask for one second, but retrying that often would be a nuisance. */
const SHORTEST_RETRY_MS = 5000

interface IndexState {
  /** In ascending order of ID. The array stays the same while it grows. */
  readonly pets: readonly Pet[]
  /** Whether these are all animals. */
  readonly isComplete: boolean
  readonly isReading: boolean
  /** When the last response arrived. */
  readonly readAt: number | undefined
  readonly failure: PetstoreError | undefined
  /** When a failed request is tried again. */
  readonly retryAt: number
  /** How many animals others have added since they were last shown. */
  readonly news: number
  readonly exchange: RecordedRequest | undefined
}

/**
 * The store's animals, read in the background page by page: for the list, the counts and the search, and to notice new ones.
 * Animals are never changed or removed, so loaded animals stay valid, and only the last page is read again. The API only pages
 * forward, so all pages of a large store are read once; the last page's cursor is remembered and read first from then on.
 */
export class PetIndex {
  readonly state: Observed<IndexState>
  readonly #pets: Pets
  #front = new PetRange(undefined)
  #end: PetRange | undefined
  #stopping = new AbortController()
  #exchange: RecordedRequest | undefined
  readonly #own = new Set<bigint>()
  /** Animals that this page has added, until they are read. */
  #added: readonly Pet[] = []
  readonly #unseen = new Set<bigint>()
  /** If there is a rate limit, no requests are sent unasked. */
  isLimited = false
  #isAllWanted = false
  /** Requested while something else was being read. */
  #isRefreshWanted = false
  #readAt: number | undefined

  constructor(apiKey: string) {
    this.#pets = connect(apiKey, exchange => {
      this.#exchange = exchange
    })
    const end = kept.end.get()
    if (end !== undefined) this.#end = new PetRange(end)
    this.state = new Observed<IndexState>({
      pets: this.#front.pets,
      isComplete: false,
      isReading: false,
      readAt: undefined,
      failure: undefined,
      retryAt: 0,
      news: 0,
      exchange: undefined,
    })
  }

  /** Looks for new animals on the last page, if it is known, and continues reading where it stopped. */
  refresh(): Promise<void> {
    return this.#work(async () => {
      if (this.#tail().isAtEnd) await this.#lookAtEnd()
      await this.#readOn()
    })
  }

  /** Reads to the last animal, now and after a failure. */
  readAll(): Promise<void> {
    this.#isAllWanted = true
    return this.#work(() => this.#readOn())
  }

  stop(): void {
    this.#isAllWanted = false
    this.#stopping.abort()
  }

  /** An animal that this page has added itself is not news. */
  own({ id }: Pet): void {
    this.#own.add(id)
    if (this.#unseen.delete(id)) this.#publish()
  }

  /** Shows an animal that this page has added, without another request. After trouble, it means that the service is back. */
  add(pet: Pet): void {
    this.own(pet)
    this.#added = [...this.#added, pet].sort((one, other) => (one.id < other.id ? -1 : 1))
    this.#publish()
    const { failure } = this.state.value
    if (failure && failure.code !== 'rate_limited') void this.refresh()
  }

  showNews(): void {
    this.#unseen.clear()
    this.#publish()
  }

  #tail(): PetRange {
    return this.#end ?? this.#front
  }

  async #work(work: () => Promise<void>): Promise<void> {
    if (this.state.value.isReading) {
      this.#isRefreshWanted = true
      return
    }
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    this.#publish({ isReading: true })
    try {
      await work()
      this.#publish({ isReading: false, failure: undefined })
    } catch (error) {
      const failure = failureOf(error)
      const retryAt = Date.now() + Math.max(failure.retryAfterMs ?? 0, SHORTEST_RETRY_MS)
      this.#publish({ isReading: false, ...(!signal.aborted && { failure, retryAt }) })
    }
    if (!this.#isRefreshWanted || signal.aborted) return
    this.#isRefreshWanted = false
    await this.refresh()
  }

  async #readOn(): Promise<void> {
    await this.#readEnd()
    const front = this.#front
    for (let shown = 0; !this.#isJoined(); ) {
      const { length } = front.pets
      if (length > 0 && this.isLimited && !this.#isAllWanted) return
      if (length >= MOST && !this.#isAllWanted) {
        if (this.#end) return
        this.#end = new PetRange(front.next)
        await this.#readEnd()
        if (this.#isJoined()) continue
        return
      }
      await this.#extend(front)
      if (front.pets.length < shown * GROWTH) continue
      shown = front.pets.length
      this.#publish({ failure: undefined })
    }
    if (front.pets.length > MANY) kept.end.set(front.last.cursor)
  }

  /** The remembered cursor may be from another store, in which case it is forgotten. */
  async #readEnd(): Promise<void> {
    const end = this.#end
    try {
      while (end && !end.isAtEnd) {
        await this.#extend(end)
        end.forgetBefore(MANY)
      }
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error
      this.#end = undefined
      kept.end.set(undefined)
    }
    if (!end?.isAtEnd) return
    // A store that was replaced by a smaller one ends before this cursor.
    if (end.pets.length === 0) this.#end = undefined
    else kept.end.set(end.last.cursor)
    this.#publish({ failure: undefined })
  }

  /** Whether the front has reached the end. If so, joins them. */
  #isJoined(): boolean {
    const front = this.#front
    const end = this.#end
    if (front.isAtEnd) this.#end = undefined
    const reached = front.pets.at(-1)?.id ?? 0n
    const first = end?.pets[0]?.id
    const isAdjacent = end?.start !== undefined && end.start === front.next
    if (front.isAtEnd || !end || !first || (reached < first && !isAdjacent)) return front.isAtEnd
    const rest = end.pets.filter(({ id }) => id > reached)
    const joined = front.pets.length + rest.length
    for (const pet of rest) front.pets.push(pet)
    front.isAtEnd = true
    front.last = { cursor: end.last.cursor, before: joined - (end.pets.length - end.last.before) }
    this.#end = undefined
    return true
  }

  async #lookAtEnd(): Promise<void> {
    const tail = this.#tail()
    const { cursor, before } = tail.last
    const known = tail.pets.at(-1)?.id ?? 0n
    const first = tail.pets[before]?.id
    const page = await this.#read(cursor)
    // This is a different store, because its file was replaced by an older one.
    if (first !== undefined && page.items[0]?.id !== first) return this.#startOver()
    tail.pets.length = before
    tail.take(cursor, page)
    while (!tail.isAtEnd) await this.#extend(tail)
    for (const { id } of tail.pets.slice(before)) if (id > known && !this.#own.has(id)) this.#unseen.add(id)
    if (tail.pets.length > MANY) kept.end.set(tail.last.cursor)
  }

  async #startOver(): Promise<void> {
    kept.end.set(undefined)
    this.#unseen.clear()
    this.#added = []
    this.#end = undefined
    this.#front = new PetRange(undefined)
    await this.#readOn()
  }

  async #extend(range: PetRange): Promise<void> {
    const cursor = range.next
    range.take(cursor, await this.#read(cursor))
  }

  async #read(cursor: string | undefined): Promise<PetPage> {
    const { signal } = this.#stopping
    const query = { limit: LIMIT_MAX, ...(cursor !== undefined && { cursor }) }
    const { data, rateLimit } = await this.#pets.list(query, { signal }).withResponse()
    if (rateLimit) this.isLimited = true
    signal.throwIfAborted()
    this.#readAt = Date.now()
    return data
  }

  #publish(change: Partial<IndexState> = {}): void {
    const known = this.#end ? [...this.#front.pets, ...this.#end.pets] : this.#front.pets
    const last = known.at(-1)?.id ?? 0n
    this.#added = this.#added.filter(({ id }) => id > last)
    // Alone, they would look like the whole store.
    const isPlain = this.#added.length === 0 || this.#readAt === undefined
    const all = isPlain ? known : [...known, ...this.#added]
    this.state.set({
      ...this.state.value,
      pets: this.#unseen.size === 0 ? all : all.filter(({ id }) => !this.#unseen.has(id)),
      isComplete: this.#end === undefined && this.#front.isAtEnd,
      readAt: this.#readAt,
      news: this.#unseen.size,
      exchange: this.#exchange,
      ...change,
    })
  }
}
