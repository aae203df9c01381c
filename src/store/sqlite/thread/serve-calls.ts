import { fileCannotAnswer, isDamage } from '../file/failures.ts'

declare const self: Worker

export type Methods = Record<string, (...args: never[]) => unknown>

/** Flat arrays of plain values: the runtime hands those over without walking through them. */
export type ToThread = readonly [id: number, method: string, ...args: readonly unknown[]]
export type FromThread =
  | readonly [id: number, outcome: 'done', value: unknown]
  | readonly [id: number, outcome: 'cannot-answer' | 'damaged' | 'not-open' | 'failed', message: string]

type Call = (...args: readonly unknown[]) => unknown

/** Runs in a thread: `open` first, whose methods, `close` among them, then answer one call after the other. */
export function serveCalls(open: (...args: readonly unknown[]) => Methods): void {
  let methods: Partial<Record<string, Call>> = {
    open: (...args) => {
      methods = open(...args) as unknown as Record<string, Call>
    },
  }

  self.onmessage = ({ data: [id, method, ...args] }: MessageEvent<ToThread>) => {
    try {
      post([id, 'done', methods[method]?.(...args)])
    } catch (error) {
      const kind = isDamage(error) ? 'damaged' : fileCannotAnswer(error) ? 'cannot-answer' : 'failed'
      post([id, kind, String(error)])
      if (method === 'open') post([id, 'not-open', String(error)])
    }
  }
}

const post = (message: FromThread): void => self.postMessage(message)
