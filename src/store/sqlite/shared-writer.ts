import type { Observe } from '../../observability/events.ts'
import { startThread } from '../../start-thread.ts'
import type { WriterOptions } from './writer.ts'

/** The thread that writes for all threads of this process. The first call starts it; if it ends, the next call starts another. */
export function sharedWriter(options: WriterOptions, observe: Observe) {
  /** Links through which threads have connected to the running writer. */
  const connected = new Set<MessagePort>()
  let running: Worker | undefined

  function start(): Worker {
    const worker = startThread('store/sqlite/writer-thread.ts')
    const end = (reason: string): void => {
      if (running !== worker) return
      running = undefined
      worker.terminate()
      observe({ kind: 'thread-ended', thread: 'writer', reason })
      for (const link of connected) link.postMessage('ended')
      connected.clear()
    }
    worker.onerror = ({ message }) => end(message)
    worker.addEventListener('close', () => end('it ended by itself'))
    worker.postMessage(options)
    return worker
  }

  return {
    /** For one thread, which sends a port for its calls. A message back says that the writer ended: ports do not always close. */
    newLink(): MessagePort {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('close', () => connected.delete(port1))
      port1.onmessage = ({ data: calls }: { data: MessagePort }) => {
        running ??= start()
        running.postMessage(calls, [calls])
        connected.add(port1)
      }
      return port2
    },

    /** Closes the database, which empties the write-ahead log; throws if the disk does not respond in time. */
    async close(withinMs: number): Promise<void> {
      const worker = running
      if (worker === undefined) return
      running = undefined
      const closed = new Promise<true>(resolve => (worker.onmessage = () => resolve(true)))
      worker.postMessage('close')
      if (!(await Promise.race([closed, Bun.sleep(withinMs)]))) throw new Error('The writer does not respond')
      worker.terminate()
    },
  }
}
