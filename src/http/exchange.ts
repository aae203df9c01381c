import type { AuthFailure } from '../observability/events.ts'
import type { Standing } from './protections/rate-limit.ts'

/** A request as the runtime's router hands it over. */
export type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> }

/** One request and all that is learned about it on its way: what the answer says and the log reports beside the answer itself. */
export class Exchange {
  readonly request: RoutedRequest
  readonly method: string
  readonly requestId: string
  readonly started = performance.now()
  /** The API key that was accepted. */
  keyId: string | undefined = undefined
  /** Why a key was refused. */
  authFailure: AuthFailure | undefined = undefined
  /** The operation of the contract, once it is chosen. */
  operation: string | undefined = undefined
  /** What is left to the key, where the operator limits requests. */
  standing: Standing | undefined = undefined
  /** The connection ends with this answer. */
  closes = false

  constructor(request: RoutedRequest, requestId: string) {
    this.request = request
    this.method = request.method
    this.requestId = requestId
  }
}
