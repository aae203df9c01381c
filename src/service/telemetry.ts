import type { Config, TracesConfig } from '../config/load.ts'
import { deprecations } from '../contract/deprecations.ts'
import { VERSION } from '../contract/operations.ts'
import { startMetricsServer } from '../http/listener/metrics-server.ts'
import type { Server } from '../http/server.ts'
import { DeprecatedCallers } from '../keys/deprecated-callers.ts'
import type { Observe } from '../observability/events.ts'
import { Metrics } from '../observability/metrics/metrics.ts'
import type { Store } from '../store/store.ts'

interface Watched {
  readonly store: Store
  readonly server: Server
  readonly observe: Observe
}

export const newMetrics = (): Metrics => new Metrics(deprecations().map(({ operation }) => operation))

/** Serves what is counted; the returned function ends it. */
export function serveMetrics(
  { environment, metrics: address }: Config,
  metrics: Metrics,
  { store, server, observe }: Watched,
): () => Promise<void> {
  if (address === undefined) return async () => {}
  const callers = new DeprecatedCallers(store.deprecations)
  const sources = {
    info: { version: VERSION, environment },
    inFlight: server.inFlight,
    caches: server.caches,
    store: store.state,
    sunsets: deprecations(),
    deprecatedCalls: callers.latest,
  }
  const listener = startMetricsServer(address, () => metrics.render(sources))
  observe({ kind: 'metrics-listening', url: listener.url })
  return async () => {
    callers.close()
    metrics.close()
    await listener.close()
  }
}

/** Loads what traces need only where they are wanted. */
export async function startTraces({ environment }: Config, traces: TracesConfig, report: Observe) {
  const { Tracing } = await import('../observability/traces/tracing.ts')
  return new Tracing({ ...traces, version: VERSION, environment, report })
}
