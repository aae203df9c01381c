import type { Config } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import { METRICS_CONTENT_TYPE } from '../observability/metrics.ts'
import { codeOf, messageOf, OperatorError } from '../operator-error.ts'
import { Pages } from '../pages/pages.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import { requestIds } from './auth.ts'
import { BodyReader } from './body.ts'
import { type CacheTallies, ResponseCache } from './cache.ts'
import type { Api, RoutedRequest } from './context.ts'
import { Cors } from './cors.ts'
import { DeprecationPolicy } from './deprecation.ts'
import { Draining } from './draining.ts'
import { handle } from './handle.ts'
import { description } from './health.ts'
import { RateLimiter } from './rate-limit.ts'
import { errorDraft } from './response.ts'
import { Routes } from './routes.ts'
import { readTlsPair, type TlsPair } from './tls.ts'

export const IDLE_TIMEOUT_SECONDS = 30
/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500
/** Responses in one turn of the event loop, and its time; each further one waits for the next turn. */
const RESPONSES_A_TURN = 200
/** Where responses take long, fewer; a single slow one must not end the connection of a client that pipelines a few. */
const SLOW_RESPONSES_A_TURN = 20
const TURN_MS = 25

export type Respond = (request: RoutedRequest) => MaybePromise<Response>

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
    { ...config, variable: 'PORT', isShared, tls },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, inSpan(request => handle(api, route, request))]),
      ),
      fetch: inSpan(sent => {
        const { route, request } = routes.find(sent)
        return handle(api, route, request)
      }),
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
      const tookMs = await api.draining.untilQuiet()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - tookMs)])
      return server.pendingRequests
    },
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
    deprecation: new DeprecationPolicy({ base, hasReference: hasConsole, rehearseSunset }),
    draining: new Draining(),
    description: description(environment, baseUrls),
    pages: new Pages(environment, baseUrls[environment]),
    idempotencyInProgress: new Set(),
    rateLimiter: rateLimit && new RateLimiter(rateLimit),
    cors: corsOrigins.length > 0 ? new Cors(corsOrigins) : undefined,
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

interface Address {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for the message where it cannot be used. */
  readonly variable: string
  /** Whether other processes of this service listen on it too; someone has made sure that no stranger does. */
  readonly isShared?: boolean
  readonly tls?: TlsPair | undefined
}

interface Handlers {
  readonly routes?: Readonly<Record<string, Respond>>
  readonly fetch: Respond
  readonly error?: (cause: unknown) => Response
}

export const urlOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** A port that nothing else listens on: the one of the address, or any where it is 0. Says in a sentence why it cannot be used. */
export function findPort(address: Address): number {
  const server = listen({ ...address, isShared: false }, { fetch: () => new Response() })
  const { port = address.port } = server
  void server.stop(true)
  return port
}

/** The only place that talks to the runtime's listener. */
function listen(address: Address, { routes = {}, fetch, error }: Handlers): Bun.Server<undefined> {
  const { host, port, tls, isShared = false } = address
  try {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls && { tls }),
      development: false,
      // Outside of development the runtime would share the port with any other process that listens on it.
      reusePort: isShared,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // The runtime would refuse larger bodies before our code could check the key; our code reads none above its own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: Object.fromEntries(Object.entries(routes).map(([path, respond]) => [path, fairly(respond)])),
      fetch: fairly(fetch),
      ...(error && { error }),
    })
  } catch (cause) {
    const exit = codeOf(cause) === 'EADDRINUSE' ? 'unavailable' : 'failed'
    throw new OperatorError(reasonNotToListen(cause, address), { cause, exit })
  }
}

function reasonNotToListen(cause: unknown, { host, port, variable }: Address): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set ${variable} to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set ${variable} to 1024 or above.`
  return `Cannot listen on ${host}:${port}: ${messageOf(cause)}.`
}

/**
 * The runtime answers everything that one connection has sent before any other connection gets a turn, so a client that pipelines
 * requests could hold up all others. The runtime closes a connection whose next request comes while a response waits.
 */
function fairly(respond: Respond): Respond {
  return request => {
    const response = respond(request)
    return response instanceof Promise ? response.then(inTurn) : inTurn(response)
  }
}

/** Of all listeners together: they share the event loop. */
let responsesThisTurn = 0
let turnEndsAt = 0

function inTurn(response: Response): MaybePromise<Response> {
  if (responsesThisTurn++ === 0) {
    turnEndsAt = performance.now() + TURN_MS
    setImmediate(endTurn)
  }
  if (responsesThisTurn <= SLOW_RESPONSES_A_TURN) return response
  if (responsesThisTurn <= RESPONSES_A_TURN && performance.now() < turnEndsAt) return response
  // One that ends its connection cannot be followed by another.
  if (response.headers.get('connection') === 'close') return response
  return new Promise(resolve => setImmediate(resolve, response))
}

function endTurn(): void {
  responsesThisTurn = 0
}
