import { SETTINGS } from '../config/settings.ts'
import { ApiError } from '../contract/errors.ts'
import { REQUESTS_MS } from '../deadlines.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { errorDraft } from '../http/response.ts'
import type { Observe } from '../observability/events.ts'
import type { Draining } from './draining.ts'
import type { Handler } from './handle.ts'
import { type Address, listen } from './listen.ts'
import { Routes } from './routes.ts'
import type { Fetch, Turns } from './turns.ts'

interface ServerParts {
  readonly endpoints: readonly Endpoint[]
  readonly handler: Handler
  readonly draining: Draining
  readonly turns: Turns
  readonly observe: Observe
  /** Runs each request in its own span, if traces are on. */
  readonly inSpan: ((fetch: Fetch) => Fetch) | undefined
}

/** Serves the endpoints. */
export function startServer(address: Omit<Address, 'variable'>, parts: ServerParts) {
  const { endpoints, handler, draining, turns, observe, inSpan = fetch => fetch } = parts
  const routes = new Routes(endpoints)
  const bounded = (fetch: Fetch): Fetch => turns.bounding(inSpan(fetch))
  const server = listen(
    { ...address, variable: SETTINGS.port.variable },
    {
      routes: Object.fromEntries(
        routes.all.map(route => [route.path, bounded(request => handler.handle(route, request))]),
      ),
      fetch: bounded(request => handler.handle(routes.find(request), request)),
      error: cause => {
        const requestId = crypto.randomUUID()
        observe({ kind: 'request-failed', requestId, code: 'internal_error', cause })
        const { head, body } = errorDraft(new ApiError('internal_error'))
        return head.respond(body, requestId, {})
      },
    },
  )
  return {
    port: server.port ?? address.port,
    /** Becomes unready immediately, waits for the requests in progress, and resolves with the number left unfinished. */
    drain: async (): Promise<number> => {
      const beganAt = performance.now()
      await draining.begin()
      await Promise.race([server.stop(), Bun.sleep(REQUESTS_MS - (performance.now() - beganAt))])
      return server.pendingRequests
    },
  }
}
