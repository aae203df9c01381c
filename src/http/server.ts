import type { Config } from '../config.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Observe } from '../observability/events.ts'
import { OperatorError } from '../operator-error.ts'
import type { Store } from '../store/store.ts'
import { Departure } from './departure.ts'
import { errorAnswer } from './error-answer.ts'
import { type Endpoint, type Exchanging, exchange } from './exchange.ts'
import { Links } from './links.ts'
import { publicEndpoints } from './public-endpoints.ts'
import { type CacheTallies, newTallies } from './representation-cache.ts'
import { requestIds } from './request-id.ts'
import { type ApiOptions, apiEndpoints, unknownEndpoint } from './routes.ts'

const IDLE_TIMEOUT_SECONDS = 30
/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500

export interface Server {
  readonly url: string
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

/** The only file that talks to the runtime's listener. */
export function startServer(options: ServerOptions): Server {
  const { config, store, ring, observe, onDeprecatedCall, around } = options
  let draining = false
  const isDraining = () => draining
  const departure = new Departure()
  const exchangeOptions = { observe: departure.noticing(observe), requestIdOf: requestIds(), isDraining }
  const { environment, baseUrls, rehearseSunset } = config
  const tallies = newTallies()
  const links = new Links(baseUrls[environment])
  const endpoints = {
    ...apiEndpoints({ store, ring, links, tallies, rehearseSunset, onDeprecatedCall }),
    ...publicEndpoints({ store, environment, baseUrls, isDraining }),
  }
  const serve = (endpoint: Endpoint): Exchanging => {
    const exchanging = exchange(endpoint, exchangeOptions)
    return around?.(exchanging) ?? exchanging
  }
  const routes = Object.fromEntries(
    Object.entries(endpoints).map(([path, endpoint]) => [path, serve(endpoint)]),
  )
  const server = listen(
    { ...config, variable: 'PORT' },
    {
      routes,
      fetch: serve(unknownEndpoint(ring)),
      error: cause => {
        observe({ kind: 'request-failed', requestId: '', code: 'internal_error', cause })
        const { status, headers, body } = errorAnswer(cause)
        return new Response(body, { status, headers })
      },
    },
  )
  return {
    url: urlOf(config.host, server.port),
    caches: tallies,
    inFlight: () => server.pendingRequests,
    drain: async () => {
      draining = true
      const tookMs = await departure.over()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - tookMs)])
      return server.pendingRequests
    },
  }
}

type Handlers = Pick<Bun.Serve.Options<undefined, string>, 'routes' | 'fetch' | 'error'>

export interface Address {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for whoever has to choose another. */
  readonly variable: string
}

/** The one place that opens a port. */
export function listen({ host, port, variable }: Address, handlers: Handlers): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      development: false,
      // Outside of development the runtime would share the port with whoever else listens on it.
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // The runtime would refuse larger bodies before our code could ask for a key; ours reads none above its own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...handlers,
    } as Bun.Serve.Options<undefined, string>)
  } catch (cause) {
    throw new OperatorError(reasonNotToListen(cause, { host, port, variable }), { cause })
  }
}

export const urlOf = (host: string, port: number | undefined): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

function reasonNotToListen(cause: unknown, { host, port, variable }: Address): string {
  const code = (cause as { code?: string }).code
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set ${variable} to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set ${variable} to 1024 or above.`
  return `Cannot listen on ${host}:${port}: ${(cause as Error).message}.`
}
