import { setTimeout as sleep } from 'node:timers/promises'
import type { Observe } from '../../observability/events.ts'

/** An engine's operations on expired idempotency keys. */
export interface Expired {
  /** Whether this process does the work; true if omitted. */
  isOurs?(): boolean
  /** How many there are, counted up to a limit. */
  count(atMost: number): Promise<number>
  /** Removes the oldest. Returns how many, and how long the work took without the wait for the disk. */
  forget(atMost: number): Promise<{ readonly forgotten: number; readonly workMs: number }>
}

export interface HousekeepingState {
  /** Expired idempotency keys that are still stored, counted up to 20,000. */
  readonly expiredKeys: number
  /** When the last run that removed all of them ended. */
  readonly doneAt: Date | undefined
}

const EVERY_MS = 10_000
const COUNTED_AT_MOST = 20_000
/** Writers wait for a slice, so it is short, and the pause after it is three times as long. */
const SLICE_MS = 20
const REST = 3
const FIRST_SLICE = 100
const LARGEST_SLICE = 5000
const SMALLEST_SLICE = 10

/** Removes expired idempotency keys, a few at a time, while the store is open. */
export class Forgetting {
  readonly #expired: Expired
  readonly #observe: Observe
  readonly #timer: Timer
  #slice = FIRST_SLICE
  #state: HousekeepingState = { expiredKeys: 0, doneAt: undefined }
  #isRunning = false
  #isOver = false

  constructor(expired: Expired, observe: Observe) {
    this.#expired = expired
    this.#observe = observe
    this.#timer = setInterval(() => void this.#run(), EVERY_MS)
    this.#timer.unref()
  }

  get state(): HousekeepingState {
    return this.#state
  }

  close(): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#expired.isOurs?.() === false) return
    this.#isRunning = true
    try {
      for (let left = await this.#count(); left > 0 && !this.#isOver; left = await this.#count())
        await this.#forget(left)
      this.#state = { expiredKeys: 0, doneAt: new Date() }
    } catch (cause) {
      // Expired keys are ignored anyway, and the removal is retried soon.
      if (!this.#isOver)
        this.#observe({ kind: 'background-task-failed', task: 'forgetting old idempotency keys', cause })
    } finally {
      this.#isRunning = false
    }
  }

  async #count(): Promise<number> {
    const expiredKeys = await this.#expired.count(COUNTED_AT_MOST)
    this.#state = { ...this.#state, expiredKeys }
    return expiredKeys
  }

  async #forget(count: number): Promise<void> {
    for (let left = count; left > 0 && !this.#isOver; ) {
      const started = performance.now()
      const { forgotten, workMs } = await this.#expired.forget(this.#slice)
      if (forgotten === 0) return
      left -= forgotten
      this.#state = { ...this.#state, expiredKeys: Math.max(0, left) }
      this.#slice = nextSlice(this.#slice, workMs)
      await sleep((performance.now() - started) * REST, undefined, { ref: false })
    }
  }
}

/** Adjusts towards `SLICE_MS` per slice, at most doubling or halving its size. */
function nextSlice(slice: number, workMs: number): number {
  const factor = Math.min(2, Math.max(0.5, SLICE_MS / workMs))
  return Math.round(Math.min(LARGEST_SLICE, Math.max(SMALLEST_SLICE, slice * factor)))
}
