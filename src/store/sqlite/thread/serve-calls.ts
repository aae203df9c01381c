import { fileCannotAnswer, isDamage } from '../file/failures.ts'
import type { FromThread, ToThread } from './thread.ts'

declare const self: Worker

/** A method may return a promise. */
export type Methods = Record<string, (...args: never[]) => unknown>
type Calls = Partial<Record<string, (...args: readonly unknown[]) => unknown>>
type Post = (message: FromThread) => void

/** Runs in a thread. The first call is `open`; the methods it returns, including `close`, answer the others in order. */
export function serveCalls(open: (...args: readonly unknown[]) => Methods): void {
  let whyNotOpen: string | undefined
  let methods: Methods = {
    open: (...args) => {
      try {
        methods = open(...args)
      } catch (error) {
        whyNotOpen = String(error)
        throw error
      }
    },
  }
  self.onmessage = ({ data }: MessageEvent<ToThread>) => {
    answerCall(methods, data, post)
    if (whyNotOpen !== undefined) post([data[0], 'not-open', whyNotOpen])
  }
}

/** Runs a call and reports its outcome. */
export function answerCall(methods: Methods, [id, method, ...args]: ToThread, post: Post): void {
  const fail = (error: unknown): void => {
    const kind = isDamage(error) ? 'damaged' : fileCannotAnswer(error) ? 'cannot-answer' : 'failed'
    post([id, kind, String(error)])
  }
  try {
    const value = (methods as unknown as Calls)[method]?.(...args)
    if (value instanceof Promise) value.then(found => post([id, 'done', found]), fail)
    else post([id, 'done', value])
  } catch (error) {
    fail(error)
  }
}

const post: Post = message => self.postMessage(message)
