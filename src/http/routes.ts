import { ApiError } from '../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { chooseByMethod, type Endpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import type { Handler } from './handlers/handler.ts'
import { type HandlerOptions, handlers } from './handlers/index.ts'
import type { RateGate } from './protections/rate-gate.ts'
import { authenticate } from './request/authenticate.ts'
import { pathOf } from './request/path.ts'

interface ApiOptions extends HandlerOptions {
  readonly gate: RateGate | undefined
}

/** The endpoints of the contract's operations, by the path pattern of the runtime's router. */
export function apiEndpoints(options: ApiOptions): Record<string, Endpoint> {
  const { ring, gate, deprecations } = options
  const handlerOf = handlers(options)

  /** The whole way of a request. What memory can answer is answered at once; only what has to wait becomes a promise. */
  function handle(
    operations: Readonly<Record<string, OperationId>>,
    exchange: Exchange,
    keyId: MaybePromise<string> = authenticate(exchange.request, ring, exchange.started),
  ): MaybePromise<Answer> {
    // Nothing below runs before the key is verified.
    if (keyId instanceof Promise) return keyId.then(id => handle(operations, exchange, id))
    exchange.keyId = keyId
    gate?.admit(exchange, keyId)

    const operation = chooseByMethod(operations, exchange.method)
    exchange.operation = operation
    deprecations.call(operation)

    const handler = handlerOf[operation]
    const kept = handler.recall?.(exchange)
    if (kept instanceof Promise) return kept.then(answer => answer ?? serve(handler, exchange))
    return kept ?? serve(handler, exchange)
  }

  const serve = (handler: Handler, exchange: Exchange): Promise<Answer> =>
    Promise.resolve(handler.parse(exchange))
      .then(input => handler.run(input))
      .then(result => handler.answer(result, exchange))

  return Object.fromEntries(
    Object.entries(operationsByPath()).map(([path, operations]) => {
      const route = VERSION_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1')
      const errorHeaders = (method: string) => {
        const id = operations[method]
        return id === undefined ? {} : deprecations.headersOf(id)
      }
      return [route, { route, operations, errorHeaders, answer: exchange => handle(operations, exchange) }]
    }),
  )
}

interface UnknownOptions {
  readonly ring: KeyRing
  readonly gate: RateGate | undefined
  /** What people see in place of an error body; undefined for programs. */
  readonly page: ((request: Request) => Answer | undefined) | undefined
}

/** The answer for unknown paths. Below the version prefix it is given only to callers with a key. */
export function unknownEndpoint({ ring, gate, page }: UnknownOptions): Endpoint {
  const notFound = (): never => {
    throw new ApiError('route_not_found')
  }
  return {
    route: 'unknown',
    answer: async exchange => {
      if (!isVersioned(exchange.request.url)) return page?.(exchange.request) ?? notFound()
      exchange.keyId = await authenticate(exchange.request, ring, exchange.started)
      gate?.admit(exchange, exchange.keyId)
      return notFound()
    },
  }
}

/** Whether a URL's path is the version prefix or lies below it. */
const isVersioned = (url: string): boolean => new RegExp(`^${VERSION_PREFIX}(?:[/#]|$)`).test(pathOf(url))

function operationsByPath(): Record<string, Record<string, OperationId>> {
  const byPath: Record<string, Record<string, OperationId>> = {}
  for (const [id, { path, method }] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    byPath[path] ??= {}
    Object.assign(byPath[path], { [method]: id }, method === 'GET' && { HEAD: id })
  }
  return byPath
}
