import { MESSAGES } from '../contract/messages.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { HttpError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { HeaderValues } from './response/kept-headers.ts'

/** What answers at one path. */
export interface Endpoint {
  /** The pattern of the path, which the log names. */
  readonly route: string
  /** The operation of the contract behind each method, for requests that end before it is chosen. */
  readonly operations?: Readonly<Record<string, string>>
  /** Headers of every error of this method; its successes have them from their handler. */
  readonly errorHeaders?: (method: string) => HeaderValues
  readonly answer: (exchange: Exchange) => MaybePromise<Answer>
}

type ReadAnswer = (exchange: Exchange) => MaybePromise<Answer>

/** Endpoints that are read, with GET or HEAD, and do nothing else. */
export const readOnly = (reads: Readonly<Record<string, ReadAnswer>>): Record<string, Endpoint> =>
  Object.fromEntries(
    Object.entries(reads).map(([route, read]) => [
      route,
      { route, answer: exchange => chooseByMethod({ GET: read, HEAD: read }, exchange.method)(exchange) },
    ]),
  )

/** What serves a method at a path, or a 405. */
export function chooseByMethod<T>(byMethod: Readonly<Record<string, T>>, method: string): T {
  const found = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
  if (found !== undefined) return found
  const allowed = Object.keys(byMethod).join(', ')
  throw new HttpError('method_not_allowed', MESSAGES.methodNotServed(method, allowed), { Allow: allowed })
}
