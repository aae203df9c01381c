import { RELEASE } from '../../../release.ts'
import { fileCannotAnswer, isDamage } from '../file/failures.ts'
import type { FromThread, ToThread } from './thread.ts'

declare const self: Worker

/** A method may return a promise. */
export type Methods = Record<string, (...args: never[]) => unknown>
type Calls = Partial<Record<string, (...args: readonly unknown[]) => unknown>>
type Post = (message: FromThread) => void

type Open = (...args: readonly unknown[]) => Methods

/** Runs in a thread and answers its calls. */
export function serveCalls(open: Open): void {
  const answer = answering(open, message => self.postMessage(message))
  self.onmessage = ({ data }: MessageEvent<ToThread>) => answer(data)
}

/** Answers one caller. The first call is `open`; the methods it returns, including `close`, answer the others in order. */
export function answering(open: Open, post: Post): (call: ToThread) => void {
  let whyNotOpen: string | undefined
  let methods: Methods = {
    open: (release: string, ...args) => {
      try {
        // A thread started after an upgrade runs the new files, whose methods may differ from those of its caller.
        if (release !== RELEASE)
          throw new Error(`Release ${RELEASE} was installed over ${release}, which runs. Start it again.`)
        methods = open(...args)
      } catch (error) {
        whyNotOpen = String(error)
        throw error
      }
    },
  }
  return call => {
    if (whyNotOpen === undefined) answerCall(methods, call, post)
    if (whyNotOpen !== undefined) post([call[0], 'not-open', whyNotOpen])
  }
}

/** Runs a call and reports its outcome. */
function answerCall(methods: Methods, [id, method, ...args]: ToThread, post: Post): void {
  const fail = (error: unknown): void => {
    const kind = isDamage(error) ? 'damaged' : fileCannotAnswer(error) ? 'cannot-answer' : 'failed'
    post([id, kind, String(error)])
  }
  try {
    const run = (methods as unknown as Calls)[method]
    if (run === undefined) throw new Error(`There is no method ${method}`)
    const value = run(...args)
    if (value instanceof Promise) value.then(found => post([id, 'done', found]), fail)
    else post([id, 'done', value])
  } catch (error) {
    fail(error)
  }
}
