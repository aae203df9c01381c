import type { Config } from '../config/load.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import type { Store } from '../store/store.ts'
import { errorAnswer } from './errors.ts'
import type { Endpoint, Exchanging } from './exchange.ts'
import { Departure } from './listener/departure.ts'
import { Listener, urlOf } from './listener/listener.ts'
import { expiryOf, readTlsPair, watchTlsPair } from './listener/tls.ts'
import { pageEndpoints } from './pages/endpoints.ts'
import { protectedExchange, protectionsOf } from './protections/protections.ts'
import { publicEndpoints } from './public-endpoints.ts'
import { requestIds } from './request/request-id.ts'
import { type CacheTallies, newTallies } from './response/cache.ts'
import { Links } from './response/links.ts'
import { type ApiOptions, apiEndpoints, unknownEndpoint } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500

export interface Server {
  readonly url: string
  /** Looks at the certificate's files now; undefined where the service speaks plain HTTP. */
  readonly reloadTls: (() => void) | undefined
  readonly caches: CacheTallies
  /** Requests that are not answered yet. */
  inFlight(): number
  /** Not ready at once; resolves when all that was under way is answered, with the number of requests that were not. */
  drain(): Promise<number>
}

export interface ServerOptions {
  readonly config: Config
  readonly store: Store
  readonly ring: KeyRing
  readonly observe: Observe
  readonly onDeprecatedCall: ApiOptions['onDeprecatedCall']
  /** Put around every exchange. */
  readonly around?: ((exchanging: Exchanging) => Exchanging) | undefined
}

/** Puts the endpoints behind a listener. */
export function startServer(options: ServerOptions): Server {
  const { config, store, ring, observe, onDeprecatedCall, around } = options
  let draining = false
  const isDraining = () => draining
  const departure = new Departure()
  const exchangeOptions = { observe: departure.noticing(observe), requestIdOf: requestIds(ring), isDraining }
  const { environment, baseUrls, rehearseSunset } = config
  const tallies = newTallies()
  const links = new Links(baseUrls[environment], config.hasConsole)
  const protections = protectionsOf(config)
  const { gate } = protections
  const endpoints = {
    ...apiEndpoints({ store, ring, links, gate, tallies, rehearseSunset, onDeprecatedCall }),
    ...publicEndpoints({ store, environment, baseUrls, isDraining }),
    ...(config.hasConsole && pageEndpoints(environment)),
  }
  const serve = (endpoint: Endpoint): Exchanging => {
    const exchanging = protectedExchange(endpoint, exchangeOptions, protections)
    return around?.(exchanging) ?? exchanging
  }
  const routes = Object.fromEntries(
    Object.entries(endpoints).map(([path, endpoint]) => [path, serve(endpoint)]),
  )
  const tls = config.tls && readTlsPair(config.tls)
  const server = new Listener(
    { ...config, variable: 'PORT' },
    {
      routes,
      fetch: serve(unknownEndpoint({ ring, gate })),
      error: cause => {
        observe({ kind: 'request-failed', requestId: '', code: 'internal_error', cause })
        const { status, headers, body } = errorAnswer(cause)
        return new Response(body, { status, headers })
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
      draining = true
      watch?.stop()
      const tookMs = await departure.over()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - tookMs)])
      return server.pendingRequests
    },
  }
}
