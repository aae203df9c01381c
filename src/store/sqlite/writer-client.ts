import { startThread } from '../../this-program.ts'
import { outcomeUnknown, unavailable } from '../errors.ts'
import type { FromWriter, ToWriter, Writer, WriterOptions } from './writer.ts'

interface ClientOptions {
  readonly writer: WriterOptions
  /** From the call to its result, even if the disk hangs. */
  readonly deadlineMs: number
  readonly onDamage: (message: string) => void
  readonly onStalled: () => void
  readonly onRecovered: (afterMs: number) => void
}

interface Call {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
  /** Its caller has been answered, but the writer has not answered yet. */
  isLate: boolean
}

/**
 * Calls the writer's thread, each call with a deadline: a disk that hangs blocks the thread, but not the callers. A thread that
 * ends fails its calls and is replaced at the next one. One that misses a deadline is kept, since it may be in the middle of a
 * write; until it answers, calls are refused.
 */
export class WriterClient {
  readonly #options: ClientOptions
  readonly #calls = new Map<number, Call>()
  #worker: Worker | undefined
  #opening: Promise<void> = Promise.resolve()
  #isOpen = false
  #lastId = 0
  #late = 0
  #stalledAt = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  get isStalled(): boolean {
    return this.#late > 0
  }

  assertAnswering(): void {
    if (this.isStalled) throw unavailable(new Error('The writer does not answer; the disk may hang'))
  }

  async call<Method extends keyof Writer>(
    method: Method,
    ...args: Parameters<Writer[Method]>
  ): Promise<ReturnType<Writer[Method]>> {
    this.assertAnswering()
    return this.#send(this.#start(), method, args)
  }

  /** Starts the thread before the first call, so that a later shortage of memory or descriptors does no harm. */
  ready(): Promise<void> {
    this.#start()
    // An opening that missed its deadline may have succeeded since.
    return this.#isOpen ? Promise.resolve() : this.#opening
  }

  /** Throws if the thread cannot close in time. Its resources are then released when the process ends. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    await this.call('close')
    this.#worker = undefined
    worker.terminate()
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = startThread('store/sqlite/writer.ts')
    const end = (reason: string): void => this.#abandon(worker, outcomeUnknown(new Error(reason)))
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#receive(worker, data)
    worker.onerror = ({ message }) => end(`The writer failed: ${message}`)
    worker.addEventListener('close', () => end('The writer ended'))
    this.#isOpen = false
    this.#opening = this.#send(worker, 'open', [this.#options.writer])
    // If the database cannot be opened, the calls that follow fail with the same reason.
    this.#opening.catch(() => {})
    return worker
  }

  #send<Value>(worker: Worker, method: string, args: readonly unknown[]): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const id = ++this.#lastId
    const timer = setTimeout(() => this.#miss(id), this.#options.deadlineMs)
    this.#calls.set(id, { resolve, reject, timer, isLate: false })
    worker.postMessage([id, method, ...args] satisfies ToWriter)
    return promise
  }

  #receive(worker: Worker, [id, outcome, content]: FromWriter): void {
    if (outcome === 'done') {
      this.#isOpen = true
      this.#take(id)?.resolve(content as never)
    } else this.#fail(worker, id, outcome, new Error(String(content)))
  }

  #fail(worker: Worker, id: number, outcome: FromWriter[1], cause: Error): void {
    if (outcome === 'damaged') this.#options.onDamage(cause.message)
    if (outcome === 'not-open') this.#abandon(worker, unavailable(cause))
    else this.#take(id)?.reject(outcome === 'failed' ? cause : unavailable(cause))
  }

  /** The next call starts another thread. */
  #abandon(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    worker.terminate()
    for (const id of this.#calls.keys()) this.#take(id)?.reject(error)
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    clearTimeout(call?.timer)
    if (call?.isLate && --this.#late === 0) this.#options.onRecovered(performance.now() - this.#stalledAt)
    return call
  }

  #miss(id: number): void {
    const call = this.#calls.get(id) as Call
    call.isLate = true
    if (this.#late++ === 0) {
      this.#stalledAt = performance.now()
      this.#options.onStalled()
    }
    // A write that was begun may or may not be on disk.
    call.reject(outcomeUnknown(new Error(`The writer has not answered for ${this.#options.deadlineMs} ms`)))
  }
}
