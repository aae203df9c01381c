import type { Observe } from '../../observability/events.ts'
import { startThread } from '../../this-program.ts'
import type { WriterOptions } from './writer.ts'

/** The thread that writes for all threads of this process. The first connection starts it; if it ends, the next one starts another. */
export function writerThreadFor(options: WriterOptions, observe: Observe) {
  const callers = new Map<number, () => void>()
  let running: Worker | undefined

  function start(): Worker {
    const worker = startThread('store/sqlite/writer.ts')
    const end = (reason: string): void => {
      if (running !== worker) return
      running = undefined
      worker.terminate()
      observe({ kind: 'thread-ended', thread: 'writer', reason })
      const toldNow = [...callers.values()]
      callers.clear()
      for (const onEnded of toldNow) onEnded()
    }
    worker.onerror = ({ message }) => end(message)
    worker.addEventListener('close', () => end('it ended by itself'))
    worker.postMessage(options)
    return worker
  }

  return {
    /**
     * A port to the writer thread, for use in any thread. `onEnded` tells the caller that the writer thread has ended, because the
     * runtime does not always close the ports of a thread that is ending.
     */
    connect(caller: number, onEnded: () => void): MessagePort {
      const { port1, port2 } = new MessageChannel()
      running ??= start()
      running.postMessage(port1, [port1])
      callers.set(caller, onEnded)
      return port2
    },

    /** Closes the database, which empties the write-ahead log; throws if the disk does not respond in time. */
    async close(withinMs: number): Promise<void> {
      const worker = running
      if (worker === undefined) return
      running = undefined
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new Error('The writer does not respond')), withinMs)
      worker.onmessage = () => resolve()
      worker.postMessage('close')
      await promise.finally(() => clearTimeout(timer))
      worker.terminate()
    },
  }
}
