import { RELEASE } from '../../../release.ts'
import { unavailable } from '../../unavailable.ts'
import { PendingCalls, type StallListener } from './pending-calls.ts'
import type { Methods } from './serve-calls.ts'
import type { FromThread, StartThread, Thread, ToThread } from './thread.ts'

export interface ThreadOptions {
  /** Used in log lines and messages, for example `writer`. */
  readonly name: string
  readonly start: StartThread
  /** The arguments of the thread's `open`. */
  readonly open: readonly unknown[]
  readonly deadlineMs: number
  /** Makes the error for a call that was not answered, in time or at all. */
  readonly unanswered: (cause: Error) => unknown
  readonly onDamage: (message: string) => void
  readonly onStall: StallListener
}

/**
 * Calls methods in a thread. A thread that ends fails its calls and is replaced at the next call. One that misses a
 * deadline is kept, since it may be waiting for the disk in the middle of a write; meanwhile calls are refused.
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

  /** Starts the thread before the first call, so that a later shortage of memory or descriptors does no harm. */
  ready(): Promise<void> {
    this.#start()
    return this.#opening
  }

  /** Throws if the thread cannot close in time. Its resources are then released when the process ends. */
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
    this.#opening = this.#send(thread, 'open', [RELEASE, ...open])
    // If the database cannot be opened, the calls that follow fail with the same reason.
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

  /** The next call starts another thread. */
  #leave(thread: Thread): void {
    if (this.#thread === thread) this.#thread = undefined
  }

  #abandon(thread: Thread, error: unknown): void {
    thread.terminate()
    this.#leave(thread)
    this.#calls.rejectAll(thread, error)
  }
}
