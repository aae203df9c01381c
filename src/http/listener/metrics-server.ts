import type { MetricsConfig } from '../../config/load.ts'
import { SETTINGS } from '../../config/settings.ts'
import { CONTENT_TYPE } from '../../observability/metrics/exposition.ts'
import type { MaybePromise } from '../../store/store.ts'
import { Listener, urlOf } from './listener.ts'

interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

const notFound = (): Response => new Response('The metrics are at GET /metrics.\n', { status: 404 })

/** Serves the metrics on a separate port: they need no key, so they must not be on the API's port. */
export function startMetricsServer(
  { host, port }: MetricsConfig,
  render: () => MaybePromise<string>,
): MetricsServer {
  const server = new Listener(
    { host, port, variable: SETTINGS.metricsPort.variable },
    {
      routes: {
        '/metrics': async ({ method }) =>
          method === 'GET' || method === 'HEAD'
            ? new Response(await render(), {
                headers: { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' },
              })
            : notFound(),
      },
      fetch: notFound,
      error: () => new Response('The metrics could not be gathered.\n', { status: 500 }),
    },
  )
  return {
    url: `${urlOf('http', host, server.port)}/metrics`,
    // A scraper comes again, so the end does not wait for one.
    close: () => server.close(),
  }
}
