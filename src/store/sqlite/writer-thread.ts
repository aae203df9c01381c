import type { Observe } from '../../observability/events.ts'
import { startThread } from '../../this-program.ts'
import type { WriterOptions } from './writer.ts'

/** Starts the one thread that writes for all threads of this process, and replaces it when it is needed after it ended. */
export class WriterThread {
  readonly #options: WriterOptions
  readonly #observe: Observe
  #worker: Worker | undefined

  constructor(options: WriterOptions, observe: Observe) {
    this.#options = options
    this.#observe = observe
  }

  /** A port to the thread; it is closed when the thread ends. Whoever holds the port may be in any thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#running().postMessage(port1, [port1])
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
    }
    this.#worker = worker
    worker.onerror = ({ message }) => end(message)
    worker.addEventListener('close', () => end('it ended by itself'))
    worker.postMessage(this.#options)
    return worker
  }
}
