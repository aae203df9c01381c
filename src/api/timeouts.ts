/** How often timeouts are checked; one may be noticed this much late. */
const SWEEP_MS = 200

export class TimedOut extends Error {}

/** Checks all timeouts with one timer; a timer for each would add about 10% to the cost of a create. */
export class Timeouts {
  readonly #waiting = new Set<{ readonly endsAt: number; readonly reject: (cause: unknown) => void }>()
  #timer: Timer | undefined

  /** What the work yields, unless it fails or its time is up. */
  inTime<T>(work: Promise<T>, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = { endsAt: performance.now() + ms, reject }
      this.#waiting.add(wait)
      this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
      work.then(
        value => {
          this.#waiting.delete(wait)
          resolve(value)
        },
        cause => {
          this.#waiting.delete(wait)
          reject(cause)
        },
      )
    })
  }

  #sweep(): void {
    const now = performance.now()
    for (const wait of this.#waiting)
      if (wait.endsAt <= now) {
        this.#waiting.delete(wait)
        wait.reject(new TimedOut())
      }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
