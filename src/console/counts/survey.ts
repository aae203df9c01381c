import type { Pet, PetPage, PetStatus, PetstoreError } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { Observed } from '../parts/observed.ts'
import { connect, failureOf } from '../request/connect.ts'

export type StatusCounts = Readonly<Partial<Record<PetStatus, number>>>

export interface SurveyState {
  readonly counts: StatusCounts
  /** How many animals were read so far, and whether those are all. */
  readonly read: number
  readonly isComplete: boolean
  readonly isRunning: boolean
  /** When the last answer came. */
  readonly at: number | undefined
  readonly failure: PetstoreError | undefined
  /** Animals that others have added since they were last looked at. */
  readonly news: number
}

const NOTHING: SurveyState = {
  counts: {},
  read: 0,
  isComplete: false,
  isRunning: false,
  at: undefined,
  failure: undefined,
  news: 0,
}

/**
 * All animals of the store, read in the background page by page: for the counts, for the search, and to notice new ones.
 * Animals are never changed or removed, so what was read stays true; only the end is read again. Where a page is asked for a
 * second time, the browser sends the ETag that it has, and an unchanged page costs no more than a 304.
 */
export class Survey {
  readonly state = new Observed<SurveyState>(NOTHING)
  readonly animals: Pet[] = []
  readonly #apiKey: string
  /** Where the last page that was read starts, and how many animals came before it. */
  #tail: { cursor: string | undefined; before: number } = { cursor: undefined, before: 0 }
  #next: string | undefined
  #running: AbortController | undefined
  readonly #ownIds = new Set<string>()
  #isLimited = false

  constructor(apiKey: string) {
    this.#apiKey = apiKey
  }

  /** Where an operator limits the requests, none are spent unasked. */
  get isLimited(): boolean {
    return this.#isLimited
  }

  get tailCursor(): string | undefined {
    return this.#tail.cursor
  }

  /** Goes on until all are read, as many as said are, or it is stopped. */
  async run(upTo = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#running || this.state.value.isComplete) return
    const running = new AbortController()
    this.#running = running
    this.#set({ isRunning: true, failure: undefined })
    try {
      while (!this.state.value.isComplete && this.animals.length < upTo) {
        const cursor = this.#next
        const page = await this.#read(cursor, running.signal)
        if (running.signal.aborted) return
        this.#tail = { cursor, before: this.animals.length }
        this.#take(page)
        if (this.#isLimited && upTo < Number.POSITIVE_INFINITY) break
      }
    } catch (error) {
      if (!running.signal.aborted) this.#set({ failure: failureOf(error) })
    } finally {
      if (this.#running === running) this.#running = undefined
      this.#set({ isRunning: this.#running !== undefined })
    }
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#set({ isRunning: false })
  }

  /** Reads the end again, where new animals are. What is known stays as it is until the answer is there. */
  async look(): Promise<void> {
    if (this.#running || !this.state.value.isComplete) return
    const running = new AbortController()
    this.#running = running
    const known = this.animals.length
    try {
      const end = await this.#read(this.#tail.cursor, running.signal)
      if (running.signal.aborted) return
      this.animals.length = this.#tail.before
      this.#take(end)
    } catch {
      // The next look may find the service again; what was counted stays true.
      return
    } finally {
      if (this.#running === running) this.#running = undefined
    }
    await this.run()
    const fresh = this.animals.slice(known).filter(({ id }) => !this.#ownIds.has(String(id)))
    if (fresh.length > 0) this.#set({ news: this.state.value.news + fresh.length })
  }

  /** From the beginning. */
  async again(): Promise<void> {
    this.stop()
    this.animals.length = 0
    this.#next = undefined
    this.#set(NOTHING)
    await this.run()
  }

  /** What this page has added itself is no news. */
  own({ id }: Pet): void {
    this.#ownIds.add(String(id))
  }

  seen(): void {
    this.#set({ news: 0 })
  }

  async #read(cursor: string | undefined, signal: AbortSignal): Promise<PetPage> {
    const { pets } = connect(this.#apiKey, ({ answer }) => {
      if (answer?.headers.some(([name]) => name === 'ratelimit-policy')) this.#isLimited = true
    })
    return pets.list({ limit: facts.limitMax, cursor }, { signal })
  }

  #take({ items, nextCursor }: PetPage): void {
    for (const pet of items) this.animals.push(pet)
    this.#next = nextCursor
    const isComplete = nextCursor === undefined
    this.#set({ counts: this.#counted(items), read: this.animals.length, isComplete, at: Date.now() })
  }

  /** What came before the tail is counted already. */
  #counted(items: readonly Pet[]): StatusCounts {
    const isAppended = this.state.value.read === this.#tail.before
    const counts: Partial<Record<PetStatus, number>> = isAppended ? { ...this.state.value.counts } : {}
    for (const pet of isAppended ? items : this.animals) {
      const status = pet.status as PetStatus
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  #set(change: Partial<SurveyState>): void {
    this.state.set({ ...this.state.value, ...change })
  }
}
