interface Pending {
  readonly owner: object
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
}

/** Called when the other side stops answering, and when it answers again, with the duration. */
export interface StallListener {
  stalled(): void
  recovered(afterMs: number): void
}

/**
 * Calls to a thread, each with a deadline: a disk that hangs blocks the thread, but must not block the callers. A call
 * that missed its deadline is still in progress; until it is answered, the thread counts as stalled.
 */
export class PendingCalls {
  readonly #deadlineMs: number
  readonly #late: (cause: Error) => unknown
  readonly #listener: StallListener
  readonly #pending = new Map<number, Pending>()
  readonly #missed = new Map<number, object>()
  #stalledAt = 0
  #lastId = 0

  /** `late` makes the error for a call that missed its deadline. */
  constructor(deadlineMs: number, late: (cause: Error) => unknown, listener: StallListener) {
    this.#deadlineMs = deadlineMs
    this.#late = late
    this.#listener = listener
  }

  get isStalled(): boolean {
    return this.#missed.size > 0
  }

  /** Calls whose callers are still waiting. */
  get waiting(): number {
    return this.#pending.size
  }

  /** Registers a call that `owner` must answer. */
  add<Value>(owner: object): { readonly id: number; readonly answer: Promise<Value> } {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const id = ++this.#lastId
    const timer = setTimeout(() => this.#miss(id), this.#deadlineMs)
    this.#pending.set(id, { owner, resolve, reject, timer })
    return { id, answer: promise }
  }

  resolve(id: number, value: unknown): void {
    this.#take(id)?.resolve(value as never)
  }

  reject(id: number, error: unknown): void {
    this.#take(id)?.reject(error)
  }

  /** The owner is gone: none of its calls will be answered. */
  rejectAll(owner: object, error: unknown): void {
    for (const [id, pending] of this.#pending) if (pending.owner === owner) this.reject(id, error)
    for (const [id, missed] of this.#missed) if (missed === owner) this.reject(id, error)
  }

  #take(id: number): Pending | undefined {
    if (this.#missed.delete(id) && !this.isStalled)
      this.#listener.recovered(performance.now() - this.#stalledAt)
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(pending?.timer)
    return pending
  }

  #miss(id: number): void {
    const pending = this.#take(id) as Pending
    if (!this.isStalled) {
      this.#stalledAt = performance.now()
      this.#listener.stalled()
    }
    this.#missed.set(id, pending.owner)
    pending.reject(this.#late(new Error(`The thread has not answered for ${this.#deadlineMs} ms`)))
  }
}
