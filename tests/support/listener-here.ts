import { listenerFor, type ToListener } from '../../src/service/listener.ts'
import type { ListenerWorker } from '../../src/service/threads.ts'

/** Runs a listener in this thread. Services in a process of their own run it as `serve` does. */
export const listenerHere = (): ListenerWorker => {
  const worker: ListenerWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message: ToListener) => void receive(message),
    addEventListener: () => {},
    terminate: () => {},
  }
  const receive = listenerFor(data =>
    queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent)),
  )
  return worker
}
