const EVERY_MS = 10

/** How long this process itself was held up: clients that live in it were silent meanwhile. */
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
