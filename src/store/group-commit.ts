import { PetstoreError } from '../contract/errors.ts'

export interface Limits {
  readonly maxWaiting: number
  readonly maxBatch: number
}

/** What became of one item of a batch: the others are not affected by a failure. */
export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown }

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** One commit for all that waits: while a batch is being made durable, the next one gathers. */
export class GroupCommit<Item, Result> {
  readonly #commit: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>
  readonly #limits: Limits
  #waiting: Waiting<Item, Result>[] = []
  #running = false

  constructor(commit: (batch: readonly Item[]) => Promise<readonly Outcome<Result>[]>, limits: Limits) {
    this.#commit = commit
    this.#limits = limits
  }

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.maxWaiting)
      return Promise.reject(
        new PetstoreError('unavailable', 'Too many animals are waiting to be stored. Try again shortly.'),
      )
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    if (!this.#running) {
      this.#running = true
      // A turn of the event loop lets the other requests that arrived together join the first batch.
      setImmediate(() => void this.#drain())
    }
    return promise
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#limits.maxBatch)
      try {
        const outcomes = await this.#commit(batch.map(entry => entry.item))
        for (const [index, entry] of batch.entries()) settle(entry, outcomes[index])
      } catch (error) {
        for (const entry of batch) entry.reject(error)
      }
    }
    this.#running = false
  }
}

function settle<Item, Result>(entry: Waiting<Item, Result>, outcome: Outcome<Result> | undefined): void {
  if (outcome === undefined)
    entry.reject(new Error('The engine returned no outcome for an item of the batch'))
  else if (outcome.ok) entry.resolve(outcome.value)
  else entry.reject(outcome.error)
}
