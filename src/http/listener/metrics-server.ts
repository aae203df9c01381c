import type { MetricsConfig } from '../../config/load.ts'
import { SETTINGS } from '../../config/settings.ts'
import { CONTENT_TYPE } from '../../observability/metrics/exposition.ts'
import type { MaybePromise } from '../../store/store.ts'
import { Listener, urlOf } from './listener.ts'

interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: MetricsConfig,
  render: () => MaybePromise<string>,
): MetricsServer {
  const server = new Listener(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': {
          GET: async () =>
            new Response(await render(), {
              headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' },
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
