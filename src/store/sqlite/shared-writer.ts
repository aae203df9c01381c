import type { Observe } from '../../observability/events.ts'
import { startThread } from '../../start-thread.ts'
import type { WriterLink } from '../engine.ts'
import type { WriterOptions } from './writer.ts'

/** The thread that writes for all threads of this process. The first link starts it. If it ends, another one replaces it. */
export function sharedWriter(options: WriterOptions, observe: Observe) {
  /** For each thread, where it gets a new port: ports do not always close if the thread at their other end has ended. */
  const renewals = new Set<MessagePort>()
  let running: Worker | undefined

  function start(): Worker {
    const worker = startThread('store/sqlite/writer-worker.ts')
    const end = (reason: string): void => {
      if (running !== worker) return
      worker.terminate()
      observe({ kind: 'thread-ended', thread: 'writer', reason })
      running = start()
      for (const renewal of renewals) {
        const port = portTo(running)
        renewal.postMessage(port, [port])
      }
    }
    worker.onerror = ({ message }) => end(message)
    worker.addEventListener('close', () => end('it ended by itself'))
    worker.postMessage(options)
    return worker
  }

  return {
    /** For one thread. */
    newLink(): WriterLink {
      const { port1, port2 } = new MessageChannel()
      renewals.add(port1)
      port1.addEventListener('close', () => renewals.delete(port1))
      running ??= start()
      return [portTo(running), port2]
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

function portTo(worker: Worker): MessagePort {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage(port1, [port1])
  return port2
}
