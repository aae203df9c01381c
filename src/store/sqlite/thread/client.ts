import { unavailable } from '../../unavailable.ts'
import { PendingCalls, type StallListener } from './pending-calls.ts'
import type { Methods } from './serve-calls.ts'
import type { FromThread, StartThread, Thread, ToThread } from './thread.ts'

export interface ThreadOptions {
  /** In log lines and messages: `writer`, for instance. */
  readonly name: string
  readonly start: StartThread
  /** What the thread's `open` is called with. */
  readonly open: readonly unknown[]
  readonly deadlineMs: number
  /** The error of a call whose answer did not come: in time, or at all. */
  readonly unanswered: (cause: Error) => unknown
  readonly onDamage: (message: string) => void
  readonly onStall: StallListener
}

/**
 * Calls methods in a thread. A thread that leaves takes its calls with it and is replaced at the next one. One that does not
 * answer in time is left alone, since it may be waiting for the disk with work in hand; meanwhile calls are refused.
 */
export class ThreadClient<Served extends Methods> {
  readonly #options: ThreadOptions
  readonly #calls: PendingCalls
  #thread: Thread | undefined
  #opening: Promise<void> = Promise.resolve()

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#calls = new PendingCalls(options.deadlineMs, options.unanswered, options.onStall)
  }

  get isStalled(): boolean {
    return this.#calls.isStalled
  }

  get waiting(): number {
    return this.#calls.waiting
  }

  assertAnswering(): void {
    if (this.isStalled)
      throw unavailable(new Error(`The ${this.#options.name} does not answer; the disk may hang`))
  }

  async call<Method extends string & keyof Served>(
    method: Method,
    ...args: Parameters<Served[Method]>
  ): Promise<ReturnType<Served[Method]>> {
    this.assertAnswering()
    return this.#send(this.#start(), method, args)
  }

  /** Starts it ahead of the first call, so that a shortage of memory or descriptors in between does no harm. */
  ready(): Promise<void> {
    this.#start()
    return this.#opening
  }

  /** Fails where the thread cannot close in time; what it holds then ends with the process. */
  async close(): Promise<void> {
    const thread = this.#thread
    if (thread === undefined) return
    this.assertAnswering()
    await this.#send(thread, 'close', [])
    this.#thread = undefined
    thread.terminate()
  }

  #start(): Thread {
    this.#thread ??= this.#open()
    return this.#thread
  }

  #open(): Thread {
    const { name, start, open, unanswered } = this.#options
    const thread = start({
      message: message => this.#receive(thread, message),
      lost: how => this.#abandon(thread, unanswered(new Error(`The ${name} thread ${how}`))),
    })
    this.#opening = this.#send(thread, 'open', open)
    // The reason why it cannot open the database fails the calls behind this one as well.
    this.#opening.catch(() => {})
    return thread
  }

  #send<Value>(thread: Thread, method: string, args: readonly unknown[]): Promise<Value> {
    const { id, answer } = this.#calls.add<Value>(thread)
    thread.postMessage([id, method, ...args] satisfies ToThread)
    return answer
  }

  #receive(thread: Thread, [id, outcome, content]: FromThread): void {
    if (outcome === 'damaged') this.#options.onDamage(content)
    if (outcome === 'leaving') this.#leave(thread)
    else if (outcome === 'done') this.#calls.resolve(id, content)
    else if (outcome === 'not-open') this.#abandon(thread, unavailable(new Error(content)))
    else this.#calls.reject(id, outcome === 'failed' ? new Error(content) : unavailable(new Error(content)))
  }

  /** The next call is for another one. */
  #leave(thread: Thread): void {
    if (this.#thread === thread) this.#thread = undefined
  }

  #abandon(thread: Thread, error: unknown): void {
    thread.terminate()
    this.#leave(thread)
    this.#calls.rejectAll(thread, error)
  }
}
