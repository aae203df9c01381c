import type { Observe } from '../../observability/events.ts'
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts'
import type { FromWriter, ToWriter, Writer } from './writer.ts'

interface ClientOptions {
  /** Opens a connection to the writer thread of the service. */
  readonly connect: (onEnded: () => void) => Promise<MessagePort>
  /** Maximum time from a call to its result, even if the disk hangs. */
  readonly deadlineMs: number
  readonly observe: Observe
}

interface PendingCall {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
  /** Its caller has been told that it is overdue, but the writer thread has not responded yet. */
  isLate: boolean
}

/**
 * Calls the writer thread, each call with a deadline: a disk that hangs blocks that thread, but not the callers. If the thread
 * ends, its calls fail, and the next call connects to its replacement. A thread that misses a deadline is kept, because it may be
 * in the middle of a write; until it responds, calls are rejected.
 */
export class WriterClient {
  readonly #options: ClientOptions
  readonly #calls = new Map<number, PendingCall>()
  #port: MessagePort | undefined
  #connecting: Promise<MessagePort> | undefined
  #lastId = 0
  #late = 0
  #stalledAt = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  get isStalled(): boolean {
    return this.#late > 0
  }

  async call<Method extends keyof Writer>(
    method: Method,
    ...args: Parameters<Writer[Method]>
  ): Promise<ReturnType<Writer[Method]>> {
    if (this.isStalled)
      throw new StorageUnavailable(new Error('The writer does not respond; the disk may hang'))
    const port = this.#port ?? (await this.#connectInTime())
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Writer[Method]>>()
    const id = ++this.#lastId
    const timer = setTimeout(() => this.#miss(id), this.#options.deadlineMs)
    this.#calls.set(id, { resolve, reject, timer, isLate: false })
    port.postMessage([id, method, ...args] satisfies ToWriter)
    return promise
  }

  close(): void {
    this.#port?.close()
    this.#port = undefined
  }

  /** The main thread, which makes the connection, may be busy. */
  async #connectInTime(): Promise<MessagePort> {
    const port = await Promise.race([this.#connect(), Bun.sleep(this.#options.deadlineMs)])
    if (port === undefined) throw new StorageUnavailable(new Error('There is no connection to the writer'))
    return port
  }

  #connect(): Promise<MessagePort> {
    this.#connecting ??= this.#options
      .connect(() => this.#abandon())
      .then(port => {
        port.onmessage = ({ data }: { data: FromWriter }) => this.#receive(data)
        this.#port = port
        return port
      })
      .finally(() => {
        this.#connecting = undefined
      })
    return this.#connecting
  }

  #receive([id, outcome, content, stored]: FromWriter): void {
    if (stored !== undefined) this.#options.observe({ kind: 'batch-stored', ...stored })
    const call = this.#take(id)
    if (outcome === 'done') call?.resolve(content as never)
    else {
      const error = new Error(String(content))
      call?.reject(outcome === 'unavailable' ? new StorageUnavailable(error) : error)
    }
  }

  /** The thread at the other end of the port has ended. Its calls may or may not have been stored. */
  #abandon(): void {
    this.#port?.close()
    this.#port = undefined
    const error = new OutcomeUnknown(new Error('The writer thread ended'))
    for (const id of this.#calls.keys()) this.#take(id)?.reject(error)
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    clearTimeout(call?.timer)
    if (call?.isLate && --this.#late === 0)
      this.#options.observe({ kind: 'storage-recovered', afterMs: performance.now() - this.#stalledAt })
    return call
  }

  #miss(id: number): void {
    const call = this.#calls.get(id) as PendingCall
    call.isLate = true
    if (this.#late++ === 0) {
      this.#stalledAt = performance.now()
      this.#options.observe({ kind: 'storage-stalled' })
    }
    // A started write may or may not be on disk.
    call.reject(
      new OutcomeUnknown(new Error(`The writer has not responded for ${this.#options.deadlineMs} ms`)),
    )
  }
}
