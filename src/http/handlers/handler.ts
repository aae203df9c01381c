import type { MaybePromise } from '../../store/store.ts'
import type { Answer } from '../answer.ts'

/** A request as the runtime's router hands it over. */
export type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> }

/** An operation at the edge: decodes a request, calls the operation, encodes its result. At once where it can. */
export type Handler = (request: RoutedRequest, keyId: string) => MaybePromise<Answer>
