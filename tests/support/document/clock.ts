interface Timer {
  readonly act: () => void
  readonly every: number | undefined
  due: number
}

/** The timers of a page, which can be made to pass sooner, as Playwright's clock does. */
export class Clock {
  readonly #timers = new Map<number, Timer>()
  readonly #ticking = setInterval(() => this.#run(), 2)
  #ahead = 0
  #last = 0

  set(act: () => void, ms = 0, every?: number): number {
    this.#timers.set(++this.#last, { act, every, due: performance.now() + this.#ahead + ms })
    return this.#last
  }

  readonly clear = (id: number): void => void this.#timers.delete(id)

  #run(): void {
    const now = performance.now() + this.#ahead
    for (const [id, timer] of this.#timers) {
      if (timer.due > now) continue
      if (timer.every === undefined) this.clear(id)
      else timer.due = now + timer.every
      timer.act()
    }
  }

  /** It is the real clock until it is moved. */
  async install(): Promise<void> {}

  async fastForward(ms: number): Promise<void> {
    this.#ahead += ms
    this.#run()
    await Bun.sleep(1)
  }

  stop(): void {
    clearInterval(this.#ticking)
  }
}
