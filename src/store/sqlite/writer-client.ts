import type { Observe } from '../../observability/events.ts'
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts'
import type { Call, FromWriter, Result, ToWriter } from './writer.ts'

interface ClientOptions {
  /** To the writer thread of the service. */
  readonly link: MessagePort
  /** Maximum time from a call to its result, even if the disk hangs. */
  readonly deadlineMs: number
  readonly observe: Observe
}

interface PendingCall {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
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
  #lastId = 0
  /** Calls whose callers were told that the outcome is unknown, while the writer thread has not responded yet. */
  readonly #late = new Set<number>()
  #stalledAt = 0

  constructor(options: ClientOptions) {
    this.#options = options
    options.link.onmessage = () => this.#abandon()
  }

  get isStalled(): boolean {
    return this.#late.size > 0
  }

  async call(...call: Call): Promise<Result> {
    if (this.isStalled) throw new StorageUnavailable('The writer hangs, perhaps with the disk', 'no-response')
    this.#port ??= this.#connect()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const id = ++this.#lastId
    const timer = setTimeout(() => this.#miss(id), this.#options.deadlineMs)
    this.#calls.set(id, { resolve, reject, timer })
    this.#port.postMessage([id, ...call] satisfies ToWriter)
    return promise
  }

  close(): void {
    this.#port?.close()
    this.#options.link.close()
  }

  /** Returns one end of a channel whose other end the writer gets. Until then, the channel keeps the calls. */
  #connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: { data: FromWriter }) => this.#receive(data)
    this.#options.link.postMessage(port2, [port2])
    return port1
  }

  #receive([id, outcome, content, detail, trouble]: FromWriter): void {
    const call = this.#take(id)
    if (outcome === 'done') {
      if (detail !== undefined) this.#options.observe(detail)
      call?.resolve(content)
    } else {
      const error = Object.assign(new Error(content), { code: detail })
      const Unavailable = outcome === 'unknown' ? OutcomeUnknown : StorageUnavailable
      call?.reject(outcome === 'failed' ? error : new Unavailable(error, trouble))
    }
  }

  /** The thread at the other end of the port has ended. Its calls may or may not have been stored. */
  #abandon(): void {
    this.#port?.close()
    this.#port = undefined
    const error = new OutcomeUnknown('The writer thread ended')
    for (const id of this.#calls.keys()) this.#take(id)?.reject(error)
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    clearTimeout(call?.timer)
    if (this.#late.delete(id) && !this.isStalled)
      this.#options.observe({ kind: 'storage-recovered', afterMs: performance.now() - this.#stalledAt })
    return call
  }

  #miss(id: number): void {
    const { deadlineMs, observe } = this.#options
    if (!this.isStalled) {
      this.#stalledAt = performance.now()
      observe({ kind: 'storage-stalled' })
    }
    this.#late.add(id)
    // A started write may or may not be on disk.
    const late = `The writer has not responded for ${deadlineMs} ms`
    this.#calls.get(id)?.reject(new OutcomeUnknown(late, 'no-response'))
  }
}
