import { setTimeout as sleep } from 'node:timers/promises'
import type { Observe } from '../../observability/events.ts'

/** What an engine can do about idempotency keys that are past their time. */
export interface Expired {
  /** Whether it is for this process to do; where it is left out, it is. */
  isOurs?(): boolean
  /** How many there are, counted up to a limit. */
  count(atMost: number): Promise<number>
  /** Forgets the oldest of them; how many, and how long the work took without the wait for the disk. */
  forget(atMost: number): Promise<{ readonly forgotten: number; readonly workMs: number }>
}

export interface HousekeepingState {
  /** Idempotency keys that are past their time and still stored; counted up to 20,000. */
  readonly expiredKeys: number
  /** When all of them were gone last. */
  readonly doneAt: Date | undefined
}

const EVERY_MS = 10_000
const COUNTED_AT_MOST = 20_000
/** Writers wait for a slice, so it is short, and between two of them there is three times as long for others. */
const SLICE_MS = 20
const REST = 3
const FIRST_SLICE = 100
const LARGEST_SLICE = 5000
const SMALLEST_SLICE = 10

/** Removes idempotency keys that are past their time, a few at a time, for as long as the store is open. */
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
      // They are ignored from their time on, and tried again in a moment.
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

/** Towards as many as take the time of a slice, at most twice or half as many as before. */
function nextSlice(slice: number, workMs: number): number {
  const factor = Math.min(2, Math.max(0.5, SLICE_MS / workMs))
  return Math.round(Math.min(LARGEST_SLICE, Math.max(SMALLEST_SLICE, slice * factor)))
}
