interface Pending {
  readonly at: number
  readonly expire: () => void
}

interface Terms {
  readonly tooLate: () => Error
  readonly failed: (cause: unknown) => Error
  /** Called once, when the work is done, failed or too late. */
  readonly over?: () => void
}

const LOOK_EVERY_MS = 250

/** Work with a deadline. One timer serves all of it: a timer per request would cost more. */
export class Deadlines {
  readonly #limitMs: number
  /** In the order of their deadlines, since all have the same duration. */
  readonly #pending = new Set<Pending>()
  #timer: Timer | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** The result of the work, or one of these errors if it fails or takes too long. */
  within<T>(work: Promise<T>, { tooLate, failed, over }: Terms): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const pending = {
        at: performance.now() + this.#limitMs,
        expire: () => {
          over?.()
          reject(tooLate())
        },
      }
      this.#pending.add(pending)
      this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
      work.then(
        value => {
          if (this.#pending.delete(pending)) over?.()
          resolve(value)
        },
        cause => {
          if (this.#pending.delete(pending)) over?.()
          reject(failed(cause))
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
