import { SETTINGS } from '../config/settings.ts'
import { ApiError } from '../contract/errors.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { errorDraft } from '../http/response.ts'
import type { Observe } from '../observability/events.ts'
import type { Draining } from './draining.ts'
import type { Handler } from './handle.ts'
import { listen, type TlsPair } from './listen.ts'
import { Routes } from './routes.ts'
import type { Fetch, Turns } from './turns.ts'

/** The remainder of the 10 seconds within which the process ends belongs to the store and the log. */
const FINISH_MS = 7500

export interface Server {
  readonly port: number
  /** Becomes unready immediately, waits for the requests in progress, and resolves with the number left unfinished. */
  drain(): Promise<number>
}

interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Whether other threads listen on the port too. */
  readonly isShared: boolean
  readonly tls: TlsPair | undefined
  readonly endpoints: readonly Endpoint[]
  readonly handler: Handler
  readonly draining: Draining
  readonly turns: Turns
  readonly observe: Observe
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan?: ((fetch: Fetch) => Fetch) | undefined
}

/** Serves the endpoints. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { host, port, isShared, tls, handler, draining, observe, inSpan = fetch => fetch } = options
  const routes = new Routes(options.endpoints)
  const server = listen(
    { host, port, variable: SETTINGS.port.variable, isShared, tls },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, inSpan(request => handler.handle(route, request))]),
      ),
      fetch: inSpan(request => handler.handle(routes.find(request), request)),
      error: cause => {
        const requestId = crypto.randomUUID()
        observe({ kind: 'request-failed', requestId, code: 'internal_error', cause })
        const { head, body } = errorDraft(new ApiError('internal_error'))
        return head.respond(body, requestId, {})
      },
    },
    options.turns,
  )
  return {
    port: server.port ?? port,
    drain: async () => {
      const beganAt = performance.now()
      await draining.begin()
      await Promise.race([server.stop(), Bun.sleep(FINISH_MS - (performance.now() - beganAt))])
      return server.pendingRequests
    },
  }
}
