const EVERY_MS = 10

/** How long this process was delayed: the clients in it were silent during that time. */
export class Lag {
  longestMs = 0
  #last = performance.now()
  readonly #timer = setInterval(() => {
    const now = performance.now()
    this.longestMs = Math.max(this.longestMs, now - this.#last - EVERY_MS)
    this.#last = now
  }, EVERY_MS)

  stop(): number {
    clearInterval(this.#timer)
    return this.longestMs
  }
}
