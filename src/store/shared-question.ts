/** A question that is asked may hang; those who came since do not wait for its answer longer than this. */
const PATIENCE_MS = 100

/**
 * One question for all who wait. Each is answered by a question that was asked after it came: one that is under way already
 * may have been answered before something happened that this one must see. While it is, the next gathers.
 */
export class SharedQuestion<T> {
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
    // If none is in progress, a turn of the event loop lets others that arrived together join.
    await (this.#underWay === undefined ? turn() : within(this.#underWay))
    this.#gathering = undefined
    const answer = this.#put()
    const settled = answer.then(
      () => {},
      () => {},
    )
    this.#underWay = settled
    void settled.then(() => {
      if (this.#underWay === settled) this.#underWay = undefined
    })
    return answer
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const within = (work: Promise<unknown>): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
