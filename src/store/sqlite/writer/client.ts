import { startThread } from '../../../thread.ts'
import type { Patience } from '../../patience.ts'
import { outcomeUnknown, unavailable } from '../../unavailable.ts'
import { PendingCalls, type StallListener } from './pending-calls.ts'
import type { SqliteWriter } from './writer.ts'
import type { FromWriter, ToWriter, WriterMethod } from './writer-thread.ts'

export interface WriterOptions {
  readonly path: string
  readonly patience: Patience
  readonly onDamage: (message: string) => void
  readonly onStall: StallListener
  readonly start?: () => Worker
}

const startWriter = (): Worker => startThread('store/sqlite/writer/writer-thread.ts')

/**
 * Calls the writer in its thread. A thread that leaves takes its calls with it and is replaced at the next one. One that does
 * not answer in time is left alone, since it may be waiting for the disk with an animal in hand; meanwhile calls are refused.
 */
export class WriterClient {
  readonly #options: WriterOptions
  readonly #calls: PendingCalls
  #worker: Worker | undefined

  constructor(options: WriterOptions) {
    this.#options = options
    this.#calls = new PendingCalls(options.patience.deadlineMs, options.onStall)
  }

  get isStalled(): boolean {
    return this.#calls.isStalled
  }

  assertAnswering(): void {
    if (this.isStalled) throw unavailable(new Error('The writer does not answer; the disk may hang'))
  }

  async call<Method extends WriterMethod>(
    method: Method,
    ...args: Parameters<SqliteWriter[Method]>
  ): Promise<ReturnType<SqliteWriter[Method]>> {
    this.assertAnswering()
    return this.#send(this.start(), method, args)
  }

  /** Ahead of the first call, so that a shortage of memory or descriptors in between does no harm. */
  start(): Worker {
    this.#worker ??= this.#open()
    return this.#worker
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

  #open(): Worker {
    const { path, patience, start = startWriter } = this.#options
    const worker = start()
    // Whether a call that it had begun is on the disk is not known.
    const lost = (how: string): void =>
      this.#abandon(worker, outcomeUnknown(new Error(`The writer thread ${how}`)))
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#receive(worker, data)
    worker.onerror = event => lost(`failed: ${event.message}`)
    worker.addEventListener('close', () => lost('ended'))
    // What it says when it cannot open the database is told to the calls behind this one.
    this.#send(worker, 'open', [path, patience.lockMs]).catch(() => {})
    return worker
  }

  #send<Value>(worker: Worker, method: ToWriter[1], args: readonly unknown[]): Promise<Value> {
    const { id, answer } = this.#calls.add<Value>()
    worker.postMessage([id, method, ...args] satisfies ToWriter)
    return answer
  }

  #receive(worker: Worker, [id, outcome, content]: FromWriter): void {
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
