import { startThread } from '../../thread.ts'
import { unavailable } from './failures.ts'
import type { SqliteWriter } from './writer.ts'
import type { FromWriter, ToWriter, WriterMethod } from './writer-thread.ts'

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Calls the writer in its thread. A thread that dies takes its calls with it and is replaced at the next one. */
export class WriterClient {
  readonly #path: string
  readonly #onDamage: (message: string) => void
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(path: string, onDamage: (message: string) => void) {
    this.#path = path
    this.#onDamage = onDamage
  }

  call<Method extends WriterMethod>(
    method: Method,
    ...args: Parameters<SqliteWriter[Method]>
  ): Promise<ReturnType<SqliteWriter[Method]>> {
    return this.#send(this.start(), method, args)
  }

  /** Ahead of the first call, so that a shortage of memory or descriptors in between does no harm. */
  start(): Worker {
    this.#worker ??= this.#open()
    return this.#worker
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    await this.#send(worker, 'close', [])
    this.#worker = undefined
    worker.terminate()
  }

  #open(): Worker {
    const worker = startThread('store/sqlite/writer-thread.ts')
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#receive(data)
    worker.onerror = event => this.#abandon(worker, new Error(`The writer thread failed: ${event.message}`))
    this.#send(worker, 'open', [this.#path]).catch(error => this.#abandon(worker, error))
    return worker
  }

  #send<Value>(worker: Worker, method: ToWriter[1], args: readonly unknown[]): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const id = ++this.#lastId
    this.#pending.set(id, { resolve, reject })
    worker.postMessage([id, method, ...args] satisfies ToWriter)
    return promise
  }

  #receive([id, outcome, content]: FromWriter): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (outcome === 'damaged') this.#onDamage(content)
    if (outcome === 'done') pending?.resolve(content as never)
    else pending?.reject(outcome === 'failed' ? new Error(content) : unavailable(new Error(content)))
  }

  #abandon(worker: Worker, cause: Error): void {
    worker.terminate()
    if (this.#worker === worker) this.#worker = undefined
    const abandoned = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of abandoned) reject(unavailable(cause))
  }
}
