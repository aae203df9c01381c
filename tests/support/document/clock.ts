interface Timer {
  readonly act: () => void
  readonly every: number | undefined
  due: number
  running: ReturnType<typeof setTimeout>
}

/** The timers of a page, which can be made to pass sooner, as Playwright's clock does. */
export class Clock {
  readonly #timers = new Map<number, Timer>()
  #last = 0

  #wait(id: number, timer: Timer): void {
    clearTimeout(timer.running)
    timer.running = setTimeout(() => this.#fire(id, timer), Math.max(timer.due - performance.now(), 0))
  }

  #fire(id: number, timer: Timer): void {
    if (timer.every === undefined) this.clear(id)
    else this.#wait(id, Object.assign(timer, { due: performance.now() + timer.every }))
    timer.act()
  }

  set(act: () => void, ms = 0, every?: number): number {
    const timer = { act, every, due: performance.now() + ms, running: setTimeout(() => {}) }
    this.#timers.set(++this.#last, timer)
    this.#wait(this.#last, timer)
    return this.#last
  }

  readonly clear = (id: number | undefined): void => {
    clearTimeout(this.#timers.get(id ?? 0)?.running)
    this.#timers.delete(id ?? 0)
  }

  clearAll(): void {
    for (const id of this.#timers.keys()) this.clear(id)
  }

  /** For a page whose clock is the real one until it is moved. */
  async install(): Promise<void> {}

  async fastForward(ms: number): Promise<void> {
    for (const [id, timer] of this.#timers) {
      timer.due -= ms
      if (timer.due <= performance.now()) this.#fire(id, timer)
      else this.#wait(id, timer)
    }
    await Bun.sleep(1)
  }
}
