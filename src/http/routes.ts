import { ApiError } from '../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { chooseByMethod } from './choose-by-method.ts'
import type { Endpoint, Exchange } from './exchange.ts'
import { type HandlerOptions, handlers } from './handlers/index.ts'
import type { RateGate } from './protections/rate-gate.ts'
import { authenticate } from './request/authenticate.ts'
import { deprecationHeaders } from './response/deprecation.ts'

export interface ApiOptions extends HandlerOptions {
  readonly gate: RateGate | undefined
  /** Told of every call of an operation that is to be removed, by the key that made it. */
  readonly onDeprecatedCall: (operation: OperationId, keyId: string) => void
}

/** The endpoints of the contract's operations, by the path pattern of the runtime's router. */
export function apiEndpoints(options: ApiOptions): Record<string, Endpoint> {
  const handle = handlers(options)
  const served = (id: OperationId) => ({
    id,
    isDeprecated: (OPERATIONS[id] as Operation).deprecated !== undefined,
    handle: handle[id],
  })
  const endpoints: Record<string, Endpoint> = {}
  for (const [path, byMethod] of Object.entries(operationsByPath())) {
    const headers = Object.fromEntries(
      Object.entries(byMethod).map(([method, id]) => [
        method,
        deprecationHeaders(OPERATIONS[id], options.links),
      ]),
    )
    const servedBy = Object.fromEntries(Object.entries(byMethod).map(([method, id]) => [method, served(id)]))
    const route = VERSION_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1')
    endpoints[route] = {
      route,
      operations: byMethod,
      errorHeaders: method => headers[method] ?? {},
      answer: authenticated(options, (exchange, keyId) => {
        const { id, isDeprecated, handle } = chooseByMethod(servedBy, exchange.method)
        exchange.operation = id
        if (isDeprecated) options.onDeprecatedCall(id, keyId)
        return handle(exchange.request, keyId)
      }),
    }
  }
  return endpoints
}

/** Nothing behind it runs before the key is known to be good. */
function authenticated(
  { ring, gate }: Pick<ApiOptions, 'ring' | 'gate'>,
  answer: (exchange: Exchange, keyId: string) => MaybePromise<Answer>,
): Endpoint['answer'] {
  if (gate !== undefined) return authenticated({ ring, gate: undefined }, admitted(gate, answer))
  const enter = (exchange: Exchange, keyId: string) => {
    exchange.keyId = keyId
    return answer(exchange, keyId)
  }
  return exchange => {
    const keyId = authenticate(exchange.request, ring, exchange.started)
    return typeof keyId === 'string' ? enter(exchange, keyId) : keyId.then(id => enter(exchange, id))
  }
}

const admitted =
  (gate: RateGate, answer: (exchange: Exchange, keyId: string) => MaybePromise<Answer>): typeof answer =>
  (exchange, keyId) => {
    gate.admit(exchange.request, keyId)
    return answer(exchange, keyId)
  }

/** What answers where nothing is served. Below the version prefix even that is said only to those with a key. */
export function unknownEndpoint(options: Pick<ApiOptions, 'ring' | 'gate'>): Endpoint {
  const notFound = (): never => {
    throw new ApiError('route_not_found')
  }
  const notFoundWithKey = authenticated(options, notFound)
  return {
    route: 'unknown',
    answer: exchange => (isVersioned(exchange.request.url) ? notFoundWithKey(exchange) : notFound()),
  }
}

/** Whether a URL's path is the version prefix or lies below it. With an odd Host header the URL is a path alone. */
function isVersioned(url: string): boolean {
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return new RegExp(`^${VERSION_PREFIX}(?:[/?#]|$)`).test(path)
}

function operationsByPath(): Record<string, Record<string, OperationId>> {
  const byPath: Record<string, Record<string, OperationId>> = {}
  for (const [id, { path, method }] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    byPath[path] ??= {}
    Object.assign(byPath[path], { [method]: id }, method === 'GET' && { HEAD: id })
  }
  return byPath
}
