import type { MaybePromise } from '../../store/store.ts'
import type { RoutedRequest } from '../handlers/handler.ts'

/** Adds headers to a response that is about to leave, whatever made it. */
export type Decoration = (request: Request, headers: Headers) => void

type Handle = (request: RoutedRequest) => MaybePromise<Response>

/** The handler itself where there is nothing to add: protection that is off costs nothing. */
export function decorated(handle: Handle, decorations: readonly Decoration[]): Handle {
  if (decorations.length === 0) return handle
  const finish = (request: Request, response: Response): Response => {
    for (const decorate of decorations) decorate(request, response.headers)
    return response
  }
  return request => {
    const response = handle(request)
    return response instanceof Promise
      ? response.then(ready => finish(request, ready))
      : finish(request, response)
  }
}
