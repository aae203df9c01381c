import type { Config } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import type { TlsPair } from '../config/tls.ts'
import { ApiError } from '../contract/errors.ts'
import { REQUESTS_MS } from '../deadlines.ts'
import { errorDraft } from '../http/response.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import type { Store } from '../store/store.ts'
import { BodyReader } from './body.ts'
import { ResponseCache } from './cache.ts'
import { Cors } from './cors.ts'
import { endpoints, type PageResponders } from './endpoints.ts'
import { handlerFor } from './handle.ts'
import { Draining, getReadiness } from './health.ts'
import { listen } from './listen.ts'
import { RateLimiter } from './rate-limit.ts'
import { Routes } from './routes.ts'
import type { Fetch, Turns } from './turns.ts'

interface ServerOptions {
  readonly config: Config
  /** The port of the service, which all its threads share; 0 for any. */
  readonly port: number
  readonly tls: TlsPair | undefined
  /** The counts of `newRateCounts`, if there is a rate limit. */
  readonly rateCounts: SharedArrayBuffer | undefined
  readonly store: Store
  readonly ring: KeyRing
  readonly turns: Turns
  readonly pages: PageResponders
  readonly observe: Observe
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan: ((fetch: Fetch) => Fetch) | undefined
}

/** Serves the API and the pages in this thread. */
export function startServer(options: ServerOptions) {
  const { config, port, tls, rateCounts, store, ring, turns, pages, observe } = options
  const { environment, host, threads, rateLimit, corsOrigins } = config
  const { inSpan = fetch => fetch } = options
  const bodies = new BodyReader(threads)
  const draining = new Draining()
  const caches = { listPets: new ResponseCache(store, threads), getPet: new ResponseCache(store, threads) }
  const routes = new Routes(endpoints({ config, store, ring, bodies, draining, caches, pages }))
  const handle = handlerFor({
    environment,
    ring,
    bodies,
    draining,
    observe,
    rateLimiter: rateLimit && rateCounts && new RateLimiter(rateLimit, rateCounts),
    cors: corsOrigins && new Cors(corsOrigins),
  })
  const bounded = (fetch: Fetch): Fetch => turns.bounding(inSpan(fetch))
  const server = listen(
    { host, port, isShared: threads > 1, tls, variable: SETTINGS.port.variable },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, bounded(request => handle(route, request))]),
      ),
      fetch: bounded(request => handle(routes.find(request), request)),
      error: cause => {
        const requestId = crypto.randomUUID()
        observe({ kind: 'request-failed', requestId, code: 'internal_error', cause })
        const draft = errorDraft(new ApiError('internal_error'))
        return draft.head.respond(draft, requestId)
      },
    },
  )
  return {
    port: server.port ?? port,
    caches,
    readiness: getReadiness(environment, store, draining),
    /** Becomes unready immediately, waits for the requests in progress, and resolves with the number left unfinished. */
    drain: async (): Promise<number> => {
      const isLate = Bun.sleep(REQUESTS_MS)
      await draining.begin()
      await Promise.race([server.stop(), isLate])
      return server.pendingRequests
    },
  }
}
