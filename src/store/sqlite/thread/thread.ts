import { startThread } from '../../../thread.ts'

/** Flat arrays of plain values: the runtime hands those over without walking through them. */
export type ToThread = readonly [id: number, method: string, ...args: readonly unknown[]]
export type FromThread =
  | readonly [id: number, outcome: 'done', value: unknown]
  | readonly [id: number, outcome: 'cannot-answer' | 'damaged' | 'not-open' | 'failed', message: string]
  /** It answers what it was asked so far and then ends. What comes next is for another. */
  | readonly [id: 0, outcome: 'leaving']

export interface ThreadListener {
  message(message: FromThread): void
  /** It is gone, with all that it was asked. */
  lost(how: string): void
}

/** The other side of calls: a thread of this process, or of another one. */
export interface Thread {
  postMessage(message: ToThread): void
  terminate(): void
}

export type StartThread = (listener: ThreadListener) => Thread

/** A file of `src` as a thread of this process. */
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
