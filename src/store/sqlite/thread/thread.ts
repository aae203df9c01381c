import { startThread } from '../../../thread.ts'

/** Flat arrays of plain values: the runtime passes them between threads without traversing them. */
export type ToThread = readonly [id: number, method: string, ...args: readonly unknown[]]
export type FromThread =
  | readonly [id: number, outcome: 'done', value: unknown]
  | readonly [id: number, outcome: 'cannot-answer' | 'damaged' | 'not-open' | 'failed', message: string]
  /** The thread answers the calls it already has and then ends. New calls go to another thread. */
  | readonly [id: 0, outcome: 'leaving']

export interface ThreadListener {
  message(message: FromThread): void
  /** The thread is gone, and so are its calls. */
  lost(how: string): void
}

/** The side that answers calls: a thread of this process or of another one. */
export interface Thread {
  postMessage(message: ToThread): void
  terminate(): void
}

export type StartThread = (listener: ThreadListener) => Thread

/** Runs a file of `src` as a thread of this process. */
export const threadOf =
  (file: string): StartThread =>
  listener =>
    listenTo(startThread(file), listener)

export function listenTo(worker: Worker, { message, lost }: ThreadListener): Worker {
  worker.onmessage = ({ data }: MessageEvent<FromThread>) => message(data)
  worker.onerror = event => lost(`failed: ${event.message}`)
  worker.addEventListener('close', () => lost('ended'))
  return worker
}
