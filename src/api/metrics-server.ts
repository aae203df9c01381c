import { SETTINGS } from '../config/settings.ts'
import { originOf } from '../contract/servers.ts'
import type { Observe } from '../observability/events.ts'
import { METRICS_CONTENT_TYPE } from '../observability/metrics.ts'
import { listen } from './listen.ts'

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => Promise<string>,
  observe: Observe,
): { close(): Promise<void> } {
  // A scraper can connect anew; on a kept connection the runtime could respond twice to one request with a body.
  const closes = { Connection: 'close' }
  const notFound = () => new Response('The metrics are at GET /metrics.\n', { status: 404, headers: closes })
  const server = listen(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': async ({ method }) => {
          if (method !== 'GET' && method !== 'HEAD') return notFound()
          const headers = { ...closes, 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' }
          return new Response(await render(), { headers })
        },
      },
      fetch: notFound,
      error: cause => {
        observe({ kind: 'background-task-failed', task: 'gathering the metrics', cause })
        return new Response('The metrics could not be gathered.\n', { status: 500, headers: closes })
      },
    },
  )
  observe({ kind: 'metrics-listening', url: `${originOf('http', host, server.port)}/metrics` })
  // A scraper comes again, so the end does not wait for one.
  return { close: () => server.stop(true) }
}
