import { listenerFor, type ToListener } from '../../src/service/listener.ts'
import type { ListenerWorker } from '../../src/service/threads.ts'

/** Runs a listener in this thread. Messages are copied, so what does not survive the way to a thread does not survive here. */
export const listenerHere = (): ListenerWorker => {
  const worker: ListenerWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message: ToListener, transfer: unknown) =>
      void receive(structuredClone(message, { transfer: transfer as MessagePort[] })),
    addEventListener: () => {},
    terminate: () => {},
  }
  const receive = listenerFor(message => {
    const data = structuredClone(message)
    queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent))
  })
  return worker
}
