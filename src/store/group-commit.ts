import { StorageUnavailable } from './errors.ts'

/** Maximum number of animals that wait in all threads of a service. */
const MAX_WAITING_ANIMALS = 10_000

export const commitLimits = (threads: number, maxInFlight: number, furtherShare = 0) => ({
  maxWaiting: Math.ceil(MAX_WAITING_ANIMALS / threads),
  maxBatch: 512,
  /** Batches that the storage is given before it has responded to the first of them. */
  maxInFlight,
  /** A further batch starts once this share of the items in flight waits: a small batch beside a large one would divide the callers. */
  furtherShare,
  /** With this many waiting, a batch starts immediately: the disk works while the remaining requests are read. */
  enough: 32,
  /** A caller that has waited this long for its batch to start is rejected: slow storage must not make callers hang. */
  maxWaitMs: 1900,
  /** A caller that would have to wait longer than this is rejected immediately, so that it can try elsewhere. */
  maxExpectedMs: 600,
})
type Limits = Readonly<ReturnType<typeof commitLimits>>

/** Makes a batch durable and returns a result for each item, or fails for all of them. */
type Commit<Item, Result> = (batch: readonly Item[]) => Promise<readonly Result[]>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly since: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Collects items into batches: while some batches are made durable, the next one collects. */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>
  readonly #limits: Limits
  #waiting: Waiting<Item, Result>[] = []
  #inFlight = 0
  #itemsInFlight = 0
  #beginning: NodeJS.Immediate | undefined
  /** One timer for all callers; it is kept when a batch starts, because the next callers need it too. */
  #lateness: Timer | undefined
  /** How long recent batches took; undefined before the first one is done. */
  #batchMs: number | undefined

  constructor(commit: Commit<Item, Result>, limits: Limits) {
    this.#commit = commit
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#room()) return Promise.reject(overloaded('too many are waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, since: performance.now(), resolve, reject })
    this.#lateness ??= setTimeout(this.#rejectLate, this.#limits.maxWaitMs).unref()
    if (this.#inFlight >= this.#limits.maxInFlight) return promise
    // One turn of the event loop lets requests that arrived together join the batch.
    if (this.#waiting.length < this.#limits.enough) this.#beginning ??= setImmediate(() => this.#begin())
    else this.#begin()
    return promise
  }

  /** How many may wait: one batch, however slow the storage is. Beyond that, callers must be likely to succeed in time. */
  #room(): number {
    const { maxWaiting, maxBatch, maxInFlight, maxExpectedMs } = this.#limits
    // They wait for those in progress first. Several are in progress together.
    const batches = Math.floor((maxExpectedMs / (this.#batchMs ?? 0) - 1) * maxInFlight)
    return Math.min(maxWaiting, Math.max(batches, 1) * maxBatch)
  }

  #begin(): void {
    clearImmediate(this.#beginning)
    this.#beginning = undefined
    while (this.#mayStore()) void this.#store(this.#waiting.splice(0, this.#limits.maxBatch))
  }

  #mayStore(): boolean {
    const { maxInFlight, furtherShare } = this.#limits
    const { length } = this.#waiting
    return length > 0 && this.#inFlight < maxInFlight && length >= furtherShare * this.#itemsInFlight
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#inFlight++
    this.#itemsInFlight += batch.length
    const started = performance.now()
    try {
      const results = await this.#commit(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      this.#fail(batch, error)
    }
    this.#inFlight--
    this.#itemsInFlight -= batch.length
    const tookMs = performance.now() - started
    const isFirst = this.#batchMs === undefined
    // Each batch halves the weight of earlier ones, so one stall is soon forgotten.
    this.#batchMs = ((this.#batchMs ?? tookMs) + tookMs) / 2
    this.#begin()
    // Callers that came before the duration was known are rejected now, and not when they are late.
    if (isFirst)
      for (const { reject } of this.#waiting.splice(this.#room())) reject(overloaded('too many are waiting'))
  }

  #fail(batch: readonly Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of batch) reject(error)
    if (!(error instanceof StorageUnavailable)) return
    // Callers in the queue would fail too. They never reached the storage, so their outcome is known.
    for (const { reject } of this.#waiting.splice(0)) reject(new StorageUnavailable(error, error.trouble))
  }

  /** Late callers never reached the storage, so their outcome is known. */
  readonly #rejectLate = (): void => {
    const latest = performance.now() - this.#limits.maxWaitMs
    const late = this.#waiting.findLastIndex(({ since }) => since <= latest) + 1
    for (const { reject } of this.#waiting.splice(0, late)) reject(overloaded('it waited too long'))
    const oldest = this.#waiting[0]
    this.#lateness = oldest && setTimeout(this.#rejectLate, oldest.since - latest).unref()
  }
}

const overloaded = (reason: string) => new StorageUnavailable(reason, 'overloaded')
