import { Histogram } from './histogram.ts'

const EVERY_MS = 50
const LAGS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Measures how late a timer comes. A histogram, so that no scrape hides from another what it saw. */
export class EventLoopLag {
  readonly histogram = new Histogram(LAGS)
  readonly #timer: Timer
  #due = performance.now() + EVERY_MS

  constructor() {
    this.#timer = setInterval(() => this.#measure(), EVERY_MS)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #measure(): void {
    const now = performance.now()
    this.histogram.observe(Math.max(0, now - this.#due) / 1000)
    this.#due = now + EVERY_MS
  }
}
