import type { Config } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import { METRICS_CONTENT_TYPE } from '../observability/metrics.ts'
import { Pages } from '../pages/pages.ts'
import type { Store } from '../store/store.ts'
import { requestIds } from './auth.ts'
import { BodyReader } from './body.ts'
import { type CacheTallies, ResponseCache } from './cache.ts'
import type { Api, Draining } from './context.ts'
import { Cors } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { handle } from './handle.ts'
import { description } from './health.ts'
import { listen, type Respond, readTlsPair, urlOf } from './listen.ts'
import { RateLimiter } from './rate-limit.ts'
import { errorDraft } from './response.ts'
import { Routes } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500
const QUIET_TURN_MS = 25
const QUIET_TURNS = 20
const QUIET_WITHIN_MS = 3000

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

/** Serves the API and the pages. */
export function startServer(options: ServerOptions): Server {
  const { config, observe, inSpan = respond => respond, isShared } = options
  const api = apiOf(options)
  const routes = new Routes(config.hasConsole)
  const tls = config.tls && readTlsPair(config.tls)
  const server = listen(
    { ...config, variable: SETTINGS.port.variable, isShared, tls },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, inSpan(request => handle(api, route, request))]),
      ),
      fetch: inSpan(request => handle(api, routes.find(request), request)),
      error: cause => {
        observe({ kind: 'request-failed', requestId: '', code: 'internal_error', cause })
        const { body, head } = errorDraft(cause)
        return new Response(body, head)
      },
    },
  )
  return {
    url: urlOf(tls ? 'https' : 'http', config.host, server.port),
    caches: api.cache.tallies,
    inFlight: () => server.pendingRequests,
    drain: async () => {
      const beganAt = performance.now()
      api.draining.hasBegun = true
      await untilQuiet(api.draining)
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - (performance.now() - beganAt))])
      return server.pendingRequests
    },
  }
}

/**
 * Resolves when no client with a key has asked for anything for half a second: the runtime then closes the connections that are
 * left, and would reset one in use.
 */
async function untilQuiet(draining: Draining): Promise<void> {
  const endsAt = performance.now() + QUIET_WITHIN_MS
  let seen = draining.responses
  // Counted in turns of the event loop: a process that was held up has yet to read what came in meanwhile.
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < endsAt; quiet++) {
    await Bun.sleep(QUIET_TURN_MS)
    if (draining.responses !== seen) quiet = -1
    seen = draining.responses
  }
}

function apiOf({ config, store, ring, observe }: ServerOptions): Api {
  const { environment, baseUrls, rehearseSunset, rateLimit, corsOrigins, hasConsole } = config
  const base = baseUrls[environment] ?? VERSION_PREFIX
  return {
    base,
    store,
    ring,
    observe,
    requestIdOf: requestIds(ring),
    bodies: new BodyReader(),
    cache: new ResponseCache(store),
    deprecationHeaders: deprecationHeaders(base, hasConsole),
    rehearseSunset,
    draining: { hasBegun: false, responses: 0 },
    description: description(environment, baseUrls),
    pages: new Pages(environment, baseUrls[environment]),
    idempotencyInProgress: new Set(),
    rateLimiter: rateLimit && new RateLimiter(rateLimit),
    cors: corsOrigins && new Cors(corsOrigins),
  }
}

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => string,
): { readonly url: string; close(): Promise<void> } {
  const notFound = () => new Response('The metrics are at GET /metrics.\n', { status: 404 })
  const server = listen(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': ({ method }) => {
          if (method !== 'GET' && method !== 'HEAD') return notFound()
          const headers = { 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' }
          return new Response(render(), { headers })
        },
      },
      fetch: notFound,
      error: () => new Response('The metrics could not be gathered.\n', { status: 500 }),
    },
  )
  return {
    url: `${urlOf('http', host, server.port)}/metrics`,
    // A scraper comes again, so the end does not wait for one.
    close: () => server.stop(true),
  }
}
