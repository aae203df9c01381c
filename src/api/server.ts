import { SETTINGS } from '../config/settings.ts'
import { METRICS_CONTENT_TYPE } from '../observability/metrics.ts'
import { Api, type ApiOptions } from './context.ts'
import { handle } from './handle.ts'
import { listen, type Respond, readTlsPair, urlOf } from './listen.ts'
import { errorDraft } from './response.ts'
import { Routes } from './routes.ts'

/** The rest of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500
const QUIET_TURN_MS = 25
const QUIET_TURNS = 20
const QUIET_WITHIN_MS = 3000

export interface Server {
  readonly url: string
  /** How often the response of an operation was cached, and how often it had to be read. */
  readonly caches: Readonly<Record<string, { readonly hits: number; readonly misses: number }>>
  /** Not ready at once; resolves when requests in progress are completed, with the number of requests that were not. */
  drain(): Promise<number>
  /** Closes the listener and every connection. */
  close(): Promise<void>
}

interface ServerOptions extends ApiOptions {
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan?: ((respond: Respond) => Respond) | undefined
  /** Whether other processes of this service listen on the port too. */
  readonly isShared: boolean
}

/** Serves the API and the pages. */
export function startServer(options: ServerOptions): Server {
  const { config, observe, inSpan = respond => respond, isShared } = options
  const api = new Api(options)
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
        const requestId = crypto.randomUUID()
        observe({ kind: 'request-failed', requestId, code: 'internal_error', cause })
        const { body, head } = errorDraft(cause, { 'X-Request-Id': requestId })
        return new Response(body, head)
      },
    },
  )
  return {
    url: urlOf(tls ? 'https' : 'http', config.host, server.port),
    caches: { listPets: api.pageCache, getPet: api.petCache },
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

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => string,
): { readonly url: string; close(): Promise<void> } {
  // A scraper can connect anew; on a kept connection the runtime could respond twice to one request with a body.
  const closes = { Connection: 'close' }
  const notFound = () => new Response('The metrics are at GET /metrics.\n', { status: 404, headers: closes })
  const server = listen(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': ({ method }) => {
          if (method !== 'GET' && method !== 'HEAD') return notFound()
          const headers = { ...closes, 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' }
          return new Response(render(), { headers })
        },
      },
      fetch: notFound,
      error: () => new Response('The metrics could not be gathered.\n', { status: 500, headers: closes }),
    },
  )
  return {
    url: `${urlOf('http', host, server.port)}/metrics`,
    // A scraper comes again, so the end does not wait for one.
    close: () => server.stop(true),
  }
}
