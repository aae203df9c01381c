import type { Config } from '../config.ts'
import { deprecations } from '../contract/deprecations.ts'
import { VERSION } from '../contract/operations.ts'
import { startMetricsServer } from '../http/metrics-server.ts'
import type { Server } from '../http/server.ts'
import { DeprecatedCallers } from '../keys/deprecated-callers.ts'
import type { FanOut } from '../observability/fan-out.ts'
import { Metrics } from '../observability/metrics/metrics.ts'
import type { MetricsConfig, TracesConfig } from '../observability-config.ts'
import type { Store } from '../store/store.ts'

interface Watched {
  readonly events: FanOut
  readonly store: Store
  readonly server: Server
}

/** Counts from here on, and serves what was counted. */
export function startMetrics(
  { environment }: Config,
  address: MetricsConfig,
  { events, store, server }: Watched,
): { close(): Promise<void> } {
  const sunsets = deprecations()
  const metrics = new Metrics(sunsets.map(({ operation }) => operation))
  const callers = new DeprecatedCallers(store.deprecations)
  const sources = {
    info: { version: VERSION, environment },
    inFlight: server.inFlight,
    caches: server.caches,
    store: store.state,
    sunsets,
    deprecatedCalls: callers.latest,
  }
  const listener = startMetricsServer(address, () => metrics.render(sources))
  events.add(metrics.observe)
  events.observe({ kind: 'metrics-listening', url: listener.url })
  return {
    close: async () => {
      callers.close()
      metrics.close()
      await listener.close()
    },
  }
}

/** Loads what traces need only where they are wanted. */
export async function startTraces({ environment }: Config, traces: TracesConfig, events: FanOut) {
  const { startTracing } = await import('../observability/traces/start.ts')
  const tracing = startTracing({ ...traces, version: VERSION, environment, report: events.observe })
  events.add(tracing.observe)
  return tracing
}
