import type { Config } from '../config/load.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import type { Store } from '../store/store.ts'
import type { Endpoint } from './endpoint.ts'
import { errorAnswer } from './errors.ts'
import { Draining } from './listener/draining.ts'
import { Listener, urlOf } from './listener/listener.ts'
import { expiryOf, readTlsPair, watchTlsPair } from './listener/tls.ts'
import { pageEndpoints } from './pages/endpoints.ts'
import { notFoundPage, wantsPage } from './pages/not-found.ts'
import { Cors } from './protections/cors.ts'
import { RateGate } from './protections/rate-gate.ts'
import { type ProcessCounts, publicEndpoints } from './public-endpoints.ts'
import { routed } from './request/path.ts'
import { requestIds } from './request/request-id.ts'
import { type Respond, respondWith } from './respond.ts'
import { type CacheTallies, newTallies } from './response/cache.ts'
import { type DeprecationOptions, Deprecations } from './response/deprecation.ts'
import { Links } from './response/links.ts'
import { bareResponse } from './response/response.ts'
import { apiEndpoints, unknownEndpoint } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500

export interface Server {
  readonly url: string
  /** Looks at the certificate's files now; undefined where the service speaks plain HTTP. */
  readonly reloadTls: (() => void) | undefined
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
  readonly onDeprecatedCall: DeprecationOptions['onDeprecatedCall']
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan?: ((respond: Respond) => Respond) | undefined
  /** How the processes that share the port are doing, where there are several. */
  readonly processes?: (() => ProcessCounts) | undefined
}

/** Puts the endpoints behind a listener. */
export function startServer(options: ServerOptions): Server {
  const { config, store, ring, observe, onDeprecatedCall, inSpan, processes } = options
  const { environment, baseUrls, rehearseSunset, rateLimit, corsOrigins } = config
  const draining = new Draining()
  const requestIdOf = requestIds(ring)
  const tallies = newTallies()
  const links = new Links(baseUrls[environment], config.hasConsole)
  const deprecations = new Deprecations(links, { onDeprecatedCall, rehearseSunset })
  // What is off is not created, and costs nothing.
  const gate = rateLimit && new RateGate(rateLimit)
  const cors = corsOrigins.length > 0 ? new Cors(corsOrigins) : undefined
  const endpoints = {
    ...apiEndpoints({ store, ring, links, gate, tallies, deprecations }),
    ...publicEndpoints({ store, environment, baseUrls, draining, processes }),
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
    { ...config, variable: 'PORT', isShared: processes !== undefined },
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
  const watch =
    tls &&
    config.tls &&
    watchTlsPair(config.tls, tls, {
      changed: pair => {
        server.replaceTls(pair)
        observe({ kind: 'certificate-replaced', expires: expiryOf(pair) })
      },
      failed: cause => observe({ kind: 'background-task-failed', task: 'reading the certificate', cause }),
    })
  return {
    url: urlOf(tls ? 'https' : 'http', config.host, server.port),
    reloadTls: watch?.look,
    caches: tallies,
    inFlight: () => server.pendingRequests,
    drain: async () => {
      watch?.stop()
      const tookMs = await draining.untilQuiet()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - tookMs)])
      return server.pendingRequests
    },
  }
}
