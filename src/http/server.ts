import type { Config } from '../config/load.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import type { Store } from '../store/store.ts'
import type { Endpoint } from './endpoint.ts'
import { errorAnswer } from './errors.ts'
import { Draining } from './listener/draining.ts'
import { Listener, urlOf } from './listener/listener.ts'
import { readTlsPair } from './listener/tls.ts'
import { pageEndpoints } from './pages/endpoints.ts'
import { notFoundPage, wantsPage } from './pages/not-found.ts'
import { Cors } from './protections/cors.ts'
import { RateGate } from './protections/rate-gate.ts'
import { publicEndpoints } from './public-endpoints.ts'
import { routed } from './request/path.ts'
import { requestIds } from './request/request-id.ts'
import { type Respond, respondWith } from './respond.ts'
import { type CacheTallies, newTallies } from './response/cache.ts'
import { Deprecations } from './response/deprecation.ts'
import { Links } from './response/links.ts'
import { bareResponse } from './response/response.ts'
import { apiEndpoints, unknownEndpoint } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500

export interface Server {
  readonly url: string
  readonly caches: CacheTallies
  /** Requests that are not answered yet. */
  inFlight(): number
  /** Not ready at once; resolves when requests in progress are completed, with the number of requests that were not. */
  drain(): Promise<number>
}

interface ServerOptions {
  readonly config: Config
  readonly store: Store
  readonly ring: KeyRing
  readonly observe: Observe
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan?: ((respond: Respond) => Respond) | undefined
  /** Whether other processes of this service listen on the port too. */
  readonly isShared: boolean
}

/** Puts the endpoints behind a listener. */
export function startServer(options: ServerOptions): Server {
  const { config, store, ring, observe, inSpan, isShared } = options
  const { environment, baseUrls, rehearseSunset, rateLimit, corsOrigins } = config
  const draining = new Draining()
  const requestIdOf = requestIds(ring)
  const tallies = newTallies()
  const links = new Links(baseUrls[environment], config.hasConsole)
  const deprecations = new Deprecations(links, rehearseSunset)
  // What is off is not created, and costs nothing.
  const gate = rateLimit && new RateGate(rateLimit)
  const cors = corsOrigins.length > 0 ? new Cors(corsOrigins) : undefined
  const endpoints = {
    ...apiEndpoints({ store, ring, links, gate, tallies, deprecations }),
    ...publicEndpoints({ store, environment, baseUrls, draining }),
    ...(config.hasConsole && pageEndpoints(environment, baseUrls[environment])),
  }
  const page = (request: Request) => (wantsPage(request) ? notFoundPage(baseUrls[environment]) : undefined)
  const serve = (endpoint: Endpoint): Respond => {
    const respond = respondWith(endpoint, { observe, requestIdOf, draining, cors })
    return inSpan?.(respond) ?? respond
  }
  const routes = Object.fromEntries(
    Object.entries(endpoints).map(([path, endpoint]) => [path, serve(endpoint)]),
  )
  const unknown = serve(unknownEndpoint({ ring, gate, page: config.hasConsole ? page : undefined }))
  const tls = config.tls && readTlsPair(config.tls)
  const server = new Listener(
    { ...config, variable: 'PORT', isShared },
    {
      routes,
      fetch: request => {
        const { handler = unknown, request: known = request } = routed(routes, request) ?? {}
        return handler(known)
      },
      error: cause => {
        observe({ kind: 'request-failed', requestId: '', code: 'internal_error', cause })
        return bareResponse(errorAnswer(cause))
      },
    },
    tls,
  )
  return {
    url: urlOf(tls ? 'https' : 'http', config.host, server.port),
    caches: tallies,
    inFlight: () => server.pendingRequests,
    drain: async () => {
      const tookMs = await draining.untilQuiet()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - tookMs)])
      return server.pendingRequests
    },
  }
}
