interface Pending {
  readonly at: number
  readonly expire: () => void
}

const LOOK_EVERY_MS = 250

/** Work that must be done in time. One timer looks after all of it: a timer of its own would cost each request more. */
export class Deadlines {
  readonly #limitMs: number
  /** In the order of their ends, since all have the same time. */
  readonly #pending = new Set<Pending>()
  #timer: Timer | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** What the work comes to, or a failure with this error if it takes too long. */
  within<T>(work: Promise<T>, tooLate: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const pending = { at: performance.now() + this.#limitMs, expire: () => reject(tooLate()) }
      this.#pending.add(pending)
      this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
      work.then(
        value => {
          this.#pending.delete(pending)
          resolve(value)
        },
        error => {
          this.#pending.delete(pending)
          reject(error)
        },
      )
    })
  }

  #look(): void {
    const now = performance.now()
    for (const pending of this.#pending) {
      if (pending.at > now) return
      this.#pending.delete(pending)
      pending.expire()
    }
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
