import { SETTINGS } from '../config/settings.ts'
import type { ResponseCache } from './cache.ts'
import { Api, type ApiOptions } from './context.ts'
import { handle } from './handle.ts'
import { listen, type Respond, type TlsPair } from './listen.ts'
import { errorDraft } from './response.ts'
import { Routes } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500
const QUIET_TURN_MS = 25
const QUIET_TURNS = 20
const QUIET_WITHIN_MS = 3000

export interface Server {
  readonly port: number
  /** How often the response of an operation was cached, and how often it had to be read. */
  caches(): Readonly<Record<string, { readonly hits: number; readonly misses: number }>>
  /** Not ready at once; resolves when requests in progress are completed, with the number of requests that were not. */
  drain(): Promise<number>
  /** Closes the listener and every connection. */
  close(): Promise<void>
}

interface ServerOptions extends ApiOptions {
  readonly port: number
  readonly tls: TlsPair | undefined
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan?: ((respond: Respond) => Respond) | undefined
}

/** Serves the API and the pages. */
export function startServer(options: ServerOptions): Server {
  const { config, port, tls, observe, inSpan = respond => respond } = options
  const api = new Api(options)
  const routes = new Routes(config.hasConsole)
  const server = listen(
    { host: config.host, port, variable: SETTINGS.port.variable, isShared: config.threads > 1, tls },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, inSpan(request => handle(api, route, request))]),
      ),
      fetch: inSpan(request => handle(api, routes.find(request), request)),
      error: cause => {
        const requestId = crypto.randomUUID()
        observe({ kind: 'request-failed', requestId, code: 'internal_error', cause })
        const { body, head } = errorDraft(cause, { 'X-Request-Id': requestId })
        return new Response(body, head)
      },
    },
  )
  return {
    port: server.port ?? port,
    caches: () => {
      const figures = ({ hits, misses }: ResponseCache) => ({ hits, misses })
      return { listPets: figures(api.pageCache), getPet: figures(api.petCache) }
    },
    drain: async () => {
      const beganAt = performance.now()
      api.isDraining = true
      await untilQuiet(api)
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - (performance.now() - beganAt))])
      return server.pendingRequests
    },
    close: () => server.stop(true),
  }
}

/**
 * Resolves when no client with a key has asked for anything for half a second: the runtime then closes the connections that are
 * left, and would reset one in use.
 */
async function untilQuiet(api: Api): Promise<void> {
  const endsAt = performance.now() + QUIET_WITHIN_MS
  let seen = api.responsesWhileDraining
  // Counted in turns of the event loop: a process that was held up has yet to read what came in meanwhile.
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < endsAt; quiet++) {
    await Bun.sleep(QUIET_TURN_MS)
    if (api.responsesWhileDraining !== seen) quiet = -1
    seen = api.responsesWhileDraining
  }
}
