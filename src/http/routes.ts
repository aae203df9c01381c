import { PetstoreError } from '../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Store } from '../store/store.ts'
import { authenticate } from './authenticate.ts'
import { chooseByMethod } from './choose-by-method.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Endpoint } from './exchange.ts'
import { handlers } from './handlers/index.ts'
import type { Links } from './links.ts'
import { targetOf } from './target.ts'

export interface ApiOptions {
  readonly store: Store
  readonly ring: KeyRing
  readonly links: Links
}

/** The endpoints of the contract's operations, by the path pattern of the runtime's router. */
export function apiEndpoints(options: ApiOptions): Record<string, Endpoint> {
  const handle = handlers(options.store, options.links)
  const endpoints: Record<string, Endpoint> = {}
  for (const [path, byMethod] of Object.entries(operationsByPath())) {
    const headers = Object.fromEntries(
      Object.entries(byMethod).map(([method, id]) => [
        method,
        deprecationHeaders(OPERATIONS[id], options.links),
      ]),
    )
    const route = VERSION_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1')
    endpoints[route] = {
      route,
      headers: method => headers[method] ?? {},
      answer: async exchange => {
        exchange.keyId = await authenticate(exchange.request, options.ring)
        const operation = chooseByMethod(byMethod, exchange.request.method)
        return handle[operation](exchange.request, exchange.keyId)
      },
    }
  }
  return endpoints
}

/** What answers where nothing is served. Below the version prefix even that is said only to those with a key. */
export const unknownEndpoint = (ring: KeyRing): Endpoint => ({
  route: 'unknown',
  answer: async exchange => {
    const { path } = targetOf(exchange.request)
    if (path === VERSION_PREFIX || path.startsWith(`${VERSION_PREFIX}/`))
      exchange.keyId = await authenticate(exchange.request, ring)
    throw new PetstoreError('route_not_found')
  },
})

function operationsByPath(): Record<string, Record<string, OperationId>> {
  const byPath: Record<string, Record<string, OperationId>> = {}
  for (const [id, { path, method }] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    byPath[path] ??= {}
    Object.assign(byPath[path], { [method]: id }, method === 'GET' && { HEAD: id })
  }
  return byPath
}
