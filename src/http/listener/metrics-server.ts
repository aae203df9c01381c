import { SETTINGS } from '../../config/settings.ts'
import { METRICS_CONTENT_TYPE } from '../../observability/metrics.ts'
import { Listener, urlOf } from './listener.ts'

interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => string,
): MetricsServer {
  const server = new Listener(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': {
          GET: () =>
            new Response(render(), {
              headers: { 'Content-Type': METRICS_CONTENT_TYPE, 'Cache-Control': 'no-store' },
            }),
        },
      },
      fetch: () => new Response('The metrics are at GET /metrics.\n', { status: 404 }),
      error: () => new Response('The metrics could not be gathered.\n', { status: 500 }),
    },
  )
  return {
    url: `${urlOf('http', host, server.port)}/metrics`,
    // A scraper comes again, so the end does not wait for one.
    close: () => server.close(),
  }
}
