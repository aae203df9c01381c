/** A question may hang. Later callers do not wait for it longer than this. */
const TIMEOUT_MS = 100

/**
 * One question for all callers that wait. Each gets the answer to a question asked after its call: one already in
 * progress may have been answered before an event that the caller must see. Meanwhile the next question gathers
 * callers.
 */
export class BatchedQuery<T> {
  readonly #put: () => Promise<T>
  #gathering: Promise<T> | undefined
  #underWay: Promise<unknown> | undefined

  constructor(put: () => Promise<T>) {
    this.#put = put
  }

  ask(): Promise<T> {
    this.#gathering ??= this.#gather()
    return this.#gathering
  }

  async #gather(): Promise<T> {
    // If none is in progress, one turn of the event loop lets callers that arrived together join.
    await (this.#underWay === undefined ? turn() : within(this.#underWay))
    this.#gathering = undefined
    const answer = this.#put()
    const settled = answer
      .catch(() => {})
      .then(() => {
        if (this.#underWay === settled) this.#underWay = undefined
      })
    this.#underWay = settled
    return answer
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const within = (work: Promise<unknown>): Promise<unknown> => Promise.race([work, Bun.sleep(TIMEOUT_MS)])
