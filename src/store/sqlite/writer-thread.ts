import type { Observe } from '../../observability/events.ts'
import { startThread } from '../../this-program.ts'
import type { WriterOptions } from './writer.ts'

/** Starts the thread that writes for all threads of this process. If it ends, the next call for it starts another one. */
export class WriterThread {
  readonly #options: WriterOptions
  readonly #observe: Observe
  readonly #callers = new Map<number, () => void>()
  #worker: Worker | undefined

  constructor(options: WriterOptions, observe: Observe) {
    this.#options = options
    this.#observe = observe
  }

  /**
   * A port to the writer thread, for use in any thread. `onEnded` tells the caller that the writer thread has ended, because the
   * runtime does not always close the ports of a thread that is ending.
   */
  connect(caller: number, onEnded: () => void): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#running().postMessage(port1, [port1])
    this.#callers.set(caller, onEnded)
    return port2
  }

  /** Closes the database, which empties the write-ahead log; throws if the disk does not respond in time. */
  async close(withinMs: number): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    this.#worker = undefined
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new Error('The writer does not respond')), withinMs)
    worker.onmessage = () => resolve()
    worker.postMessage('close')
    await promise.finally(() => clearTimeout(timer))
    worker.terminate()
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = startThread('store/sqlite/writer.ts')
    const end = (reason: string): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      worker.terminate()
      this.#observe({ kind: 'thread-ended', thread: 'writer', reason })
      const callers = [...this.#callers.values()]
      this.#callers.clear()
      for (const onEnded of callers) onEnded()
    }
    this.#worker = worker
    worker.onerror = ({ message }) => end(message)
    worker.addEventListener('close', () => end('it ended by itself'))
    worker.postMessage(this.#options)
    return worker
  }
}
