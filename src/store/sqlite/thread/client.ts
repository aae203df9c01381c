import { unavailable } from '../../unavailable.ts'
import { PendingCalls, type StallListener } from './pending-calls.ts'
import type { FromThread, Methods, ToThread } from './serve-calls.ts'

export interface ThreadOptions {
  /** In log lines and messages: `writer`, for instance. */
  readonly name: string
  readonly start: () => Worker
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
  #worker: Worker | undefined
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
    const worker = this.#worker
    if (worker === undefined) return
    this.assertAnswering()
    await this.#send(worker, 'close', [])
    this.#worker = undefined
    worker.terminate()
  }

  #start(): Worker {
    this.#worker ??= this.#open()
    return this.#worker
  }

  #open(): Worker {
    const { name, start, open, unanswered } = this.#options
    const worker = start()
    const lost = (how: string): void =>
      this.#abandon(worker, unanswered(new Error(`The ${name} thread ${how}`)))
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => this.#receive(worker, data)
    worker.onerror = event => lost(`failed: ${event.message}`)
    worker.addEventListener('close', () => lost('ended'))
    this.#opening = this.#send(worker, 'open', open)
    // The reason why it cannot open the database fails the calls behind this one as well.
    this.#opening.catch(() => {})
    return worker
  }

  #send<Value>(worker: Worker, method: string, args: readonly unknown[]): Promise<Value> {
    const { id, answer } = this.#calls.add<Value>()
    worker.postMessage([id, method, ...args] satisfies ToThread)
    return answer
  }

  #receive(worker: Worker, [id, outcome, content]: FromThread): void {
    if (outcome === 'damaged') this.#options.onDamage(content)
    if (outcome === 'done') this.#calls.resolve(id, content)
    else if (outcome === 'not-open') this.#abandon(worker, unavailable(new Error(content)))
    else this.#calls.reject(id, outcome === 'failed' ? new Error(content) : unavailable(new Error(content)))
  }

  #abandon(worker: Worker, error: unknown): void {
    worker.terminate()
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#calls.rejectAll(error)
  }
}
