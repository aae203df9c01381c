import type { Config } from '../config/load.ts'
import { deprecations, VERSION } from '../contract/operations.ts'
import { startMetricsServer } from '../http/listener/metrics-server.ts'
import type { Server } from '../http/server.ts'
import { DeprecatedCallers } from '../keys/deprecated-callers.ts'
import type { Observe } from '../observability/events.ts'
import { Metrics } from '../observability/metrics/metrics.ts'
import type { MaybePromise, Store } from '../store/store.ts'

export const newMetrics = (): Metrics => new Metrics(deprecations().map(({ operation }) => operation))

/** The metrics as text. */
export function pageOf(
  { environment }: Config,
  metrics: Metrics,
  { store, server }: { readonly store: Store; readonly server: Server },
): { render(): string; close(): void } {
  const callers = new DeprecatedCallers(store.deprecations)
  const sources = {
    info: { version: VERSION, environment },
    inFlight: server.inFlight,
    caches: server.caches,
    store: store.state,
    sunsets: deprecations(),
    deprecatedCalls: callers.latest,
  }
  return {
    render: () => metrics.render(sources),
    close: () => {
      callers.close()
      metrics.close()
    },
  }
}

/** Serves the metrics page if it is configured. The returned function stops it. */
export function serveMetrics(
  { metrics: address }: Config,
  page: (() => MaybePromise<string>) | undefined,
  observe: Observe,
): () => Promise<void> {
  if (address === undefined || page === undefined) return async () => {}
  const listener = startMetricsServer(address, page)
  observe({ kind: 'metrics-listening', url: listener.url })
  return () => listener.close()
}

/** Loads the tracing code only if traces are on. */
export async function startTraces({ environment, tracesUrl: url }: Config, report: Observe) {
  if (url === undefined) return undefined
  const { Tracing } = await import('../observability/traces/tracing.ts')
  return new Tracing({ url, version: VERSION, environment, report })
}
