/** When enough have gathered, the share of each in the question is small; the time is a bound for the first of them. */
const ENOUGH = 24
const PATIENCE_MS = 20

interface Gathering<T> {
  count: number
  readonly put: () => void
  readonly answer: Promise<T>
}

/** One question for many callers, put after the last of them: it waits for those who are about to ask, while there are any. */
export class GatheredQuestion<T> {
  readonly #put: () => Promise<T>
  #gathering: Gathering<T> | undefined
  #coming = 0

  constructor(put: () => Promise<T>) {
    this.#put = put
  }

  /** Does work after which the caller may ask. */
  async before<R>(work: () => Promise<R>): Promise<R> {
    this.#coming++
    try {
      return await work()
    } finally {
      this.#coming--
      // One turn later, when the caller has asked or will not.
      setImmediate(() => this.#putIfGathered())
    }
  }

  ask(): Promise<T> {
    this.#gathering ??= this.#gather()
    this.#gathering.count++
    return this.#gathering.answer
  }

  #gather(): Gathering<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, PATIENCE_MS)
    const answer = promise.then(() => {
      clearTimeout(timer)
      this.#gathering = undefined
      return this.#put()
    })
    return { count: 0, put: resolve, answer }
  }

  #putIfGathered(): void {
    const gathering = this.#gathering
    if (gathering && (this.#coming === 0 || gathering.count >= ENOUGH)) gathering.put()
  }
}
