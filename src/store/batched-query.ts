/** How long later callers wait for a query in progress, which may hang. */
const MAX_WAIT_MS = 100

/**
 * Runs one query for all waiting callers. A caller never joins a query in progress, whose result may be older than the call; it
 * joins the next one.
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
    // If no query is in progress, one turn of the event loop lets callers that arrived together join.
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

const within = (work: Promise<unknown>): Promise<unknown> => Promise.race([work, Bun.sleep(MAX_WAIT_MS)])
