import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { isUnavailable, unavailable } from './errors.ts'

interface Limits {
  readonly maxWaiting: number
  readonly maxBatch: number
  /** With this many waiting, a batch starts at once: the disk works while the remaining requests are read. */
  readonly enough: number
  /** A caller that has waited this long when a batch starts is refused: slow storage must not make callers hang. */
  readonly maxWaitMs: number
  /** A caller that would have to wait longer than this is refused at once, so that it can try elsewhere. */
  readonly maxExpectedMs: number
}

export const COMMIT_LIMITS: Limits = {
  maxWaiting: 10_000,
  maxBatch: 512,
  enough: 32,
  maxWaitMs: 2000,
  maxExpectedMs: 600,
}

/** Makes a batch durable and returns a result for each item, or fails for all of them. */
type Commit<Item, Result> = (batch: readonly Item[]) => Promise<readonly Result[]>

interface Waiting<Item, Result> {
  readonly item: Item
  readonly since: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  /** It was in a batch that failed. */
  retriesAlone: boolean
}

/** One commit for everything that waits: while a batch is made durable, the next one gathers. */
export class GroupCommit<Item, Result> {
  readonly #commit: Commit<Item, Result>
  readonly #limits: Limits
  #waiting: Waiting<Item, Result>[] = []
  #running = false
  #beginning: NodeJS.Immediate | undefined
  /** How long recent batches took. */
  #batchMs = 0

  constructor(commit: Commit<Item, Result>, limits: Limits) {
    this.#commit = commit
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(item: Item): Promise<Result> {
    if (this.#isOverloaded()) return Promise.reject(tooMany())
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, since: performance.now(), resolve, reject, retriesAlone: false })
    if (!this.#running) {
      this.#running = true
      // One turn of the event loop lets requests that arrived together join the first batch.
      this.#beginning = setImmediate(() => this.#drain())
    } else if (this.#beginning !== undefined && this.#waiting.length >= this.#limits.enough) {
      clearImmediate(this.#beginning)
      void this.#drain()
    }
    return promise
  }

  /** One batch may always gather, however slow the storage is. Beyond that, a caller must be likely to succeed in time. */
  #isOverloaded(): boolean {
    const { maxWaiting, maxBatch, maxExpectedMs } = this.#limits
    const { length } = this.#waiting
    if (length < maxBatch) return length >= maxWaiting
    // The batch in progress, those ahead, and the one it would join.
    return length >= maxWaiting || (Math.floor(length / maxBatch) + 2) * this.#batchMs > maxExpectedMs
  }

  async #drain(): Promise<void> {
    this.#beginning = undefined
    while (this.#waiting.length > 0) {
      const started = performance.now()
      await this.#store(this.#waiting.splice(0, this.#waiting[0]?.retriesAlone ? 1 : this.#limits.maxBatch))
      // Each batch halves the weight of earlier ones, so one stall is soon forgotten.
      this.#batchMs = (this.#batchMs + performance.now() - started) / 2
      this.#refuseLate()
    }
    this.#running = false
  }

  #refuseLate(): void {
    const latest = performance.now() - this.#limits.maxWaitMs
    const inTime = this.#waiting.findIndex(({ since }) => since >= latest)
    for (const { reject } of this.#waiting.splice(0, inTime === -1 ? this.#waiting.length : inTime))
      reject(tooMany())
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#commit(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (isUnavailable(error)) {
        for (const { reject } of batch) reject(error)
        // Callers in the queue would fail too. They never reached the storage, so their outcome is known.
        for (const { reject } of this.#waiting.splice(0)) reject(unavailable(error))
      } else if (batch.length === 1) batch[0]?.reject(error)
      // One bad item fails the whole batch, so each is tried again alone.
      else this.#waiting.unshift(...batch.map(entry => ({ ...entry, retriesAlone: true })))
    }
  }
}

const tooMany = () => new ApiError('unavailable', MESSAGES.tooManyAdditions)
