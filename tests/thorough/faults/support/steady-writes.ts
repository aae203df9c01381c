import { petJson } from '../../../support/http/exact.ts'
import { API_KEY } from '../../../support/service/service.ts'

const CALLERS = 8

/** Adds animals with idempotency keys at a steady rate, and records how long each took. */
export class SteadyWrites {
  readonly tookMs: number[] = []
  /** Answers that were not a 201. */
  readonly refused: string[] = []
  readonly #callers: Promise<void>[]
  #isOver = false
  #lastAt = performance.now()
  #longestGapMs = 0

  constructor(url: string, aSecond: number) {
    const pauseMs = (CALLERS * 1000) / aSecond
    this.#callers = Array.from({ length: CALLERS }, () => this.#call(`${url}/v1/pets`, pauseMs))
  }

  /** The longest time without an acknowledged animal. */
  get longestGapMs(): number {
    return Math.max(this.#longestGapMs, performance.now() - this.#lastAt)
  }

  /** Discards the measurements so far. */
  startAgain(): void {
    this.tookMs.length = 0
    this.#longestGapMs = 0
    this.#lastAt = performance.now()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  quantile(share: number): number {
    const sorted = this.tookMs.toSorted((one, other) => one - other)
    return sorted[Math.floor((sorted.length - 1) * share)] as number
  }

  async #call(url: string, pauseMs: number): Promise<void> {
    for (let due = performance.now(); !this.#isOver; due += pauseMs) {
      await Bun.sleep(Math.max(0, due - performance.now()))
      const since = performance.now()
      const headers = {
        Authorization: `Bearer ${API_KEY}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      }
      const answer = await fetch(url, { method: 'POST', body: petJson({ name: 'steady' }), headers })
      this.tookMs.push(performance.now() - since)
      const text = await answer.text()
      if (answer.status === 201) this.#acknowledged()
      else this.refused.push(`${answer.status} ${text}`)
    }
  }

  #acknowledged(): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastAt)
    this.#lastAt = now
  }
}
