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
  #worker: Worker | undefined
  #pending = new Map<number, Pending>()
  #lastId = 0
  #closed = Promise.withResolvers<void>()

  constructor(path: string) {
    this.#path = path
  }

  call<Method extends WriterMethod>(
    method: Method,
    ...args: Parameters<SqliteWriter[Method]>
  ): Promise<ReturnType<SqliteWriter[Method]>> {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<SqliteWriter[Method]>>()
    const id = ++this.#lastId
    this.#pending.set(id, { resolve, reject })
    this.#worker ??= this.#start()
    this.#worker.postMessage({ kind: 'call', id, method, args } satisfies ToWriter)
    return promise
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) return
    this.#worker.postMessage({ kind: 'close' } satisfies ToWriter)
    await this.#closed.promise
    this.#worker.terminate()
    this.#worker = undefined
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url).href)
    worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#receive(data)
    worker.onerror = event => this.#abandon(new Error(`The writer thread failed: ${event.message}`))
    worker.postMessage({ kind: 'open', path: this.#path } satisfies ToWriter)
    return worker
  }

  #receive(message: FromWriter): void {
    if (message.kind === 'closed') {
      this.#closed.resolve()
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.kind === 'done') pending?.resolve(message.value as never)
    else {
      const cause = new Error(message.message)
      pending?.reject(message.cannotAnswer ? unavailable(cause) : cause)
    }
  }

  #abandon(cause: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const abandoned = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of abandoned) reject(unavailable(cause))
    this.#closed.resolve()
  }
}
