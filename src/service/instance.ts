import { type Server, startMetricsServer, startServer } from '../api/server.ts'
import type { Config } from '../config/load.ts'
import { OPERATIONS, type Operation } from '../contract/operations.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { recordKeyUses } from '../keys/record-uses.ts'
import { type Event, EventQueue, type Observe } from '../observability/events.ts'
import type { Log } from '../observability/log.ts'
import { Metrics } from '../observability/metrics.ts'
import { OperatorError } from '../operator-error.ts'
import { engineOf } from '../store/engines.ts'
import { type Store, tracedStore } from '../store/store.ts'
import { RELEASE } from '../this-program.ts'
import { certificateExpiry, openStore, warningsOf } from './check-start.ts'

const RATE_LIMITED = 429
const DAY_MS = 24 * 60 * 60 * 1000

interface InstanceOptions {
  /** Whether other processes of this service listen on the port too; the supervisor has checked it and made the database. */
  readonly isShared?: boolean
  readonly recordUsesEveryMs?: number
}

interface Instance {
  readonly url: string
  readonly metricsUrl: string | undefined
  readonly store: Store
  readonly observe: Observe
  /** Answers the requests in progress, closes everything and ends the log. Throws if the store could not be closed. */
  stop(reason?: string): Promise<void>
}

/** Everything that serves requests in this process: the store, the listeners and the background tasks. */
export async function startInstance(
  config: Config,
  log: Log,
  { isShared = false, recordUsesEveryMs }: InstanceOptions = {},
): Promise<Instance> {
  const metrics = config.metricsPort === undefined ? undefined : new Metrics()
  const sunsets = deprecatedOperations()
  const deprecated = new Set(sunsets.map(({ operation }) => operation))
  let ring: KeyRing | undefined
  const countDeprecatedCall = (event: Event): void => {
    if (event.kind !== 'request' || !deprecated.has(event.operation) || event.status === RATE_LIMITED) return
    if (event.keyId !== undefined) ring?.countDeprecatedCall(event.keyId)
  }
  const queue = new EventQueue([metrics, log, { add: countDeprecatedCall }])
  const traces = await startTraces(config, queue.observe)
  const observe: Observe = traces
    ? event => {
        traces.observe(event)
        queue.observe(event)
      }
    : queue.observe

  const opened = isShared
    ? await engineOf(config).open({ create: false, observe, caller: 'service' })
    : await openStore(config, observe)
  const started: Server[] = []
  try {
    const store = traces === undefined ? opened : tracedStore(opened, traces.call)
    const { environment, apiKey: configuredKey } = config
    ring = new KeyRing({ environment, keys: store.keys, configuredKey })
    const keyRing = ring
    const certificate = certificateExpiry(config)
    const server = startServer({ config, store, ring, observe, inSpan: traces?.inSpan, isShared })
    started.push(server)
    const page = (): string => {
      queue.flush()
      return (metrics as Metrics).render({
        version: RELEASE,
        environment,
        caches: server.caches,
        store: store.state,
        sunsets,
        keyExpiry: () => keyRing.nextExpiry()?.at,
        certificateExpiry: certificate,
      })
    }
    const { host, metricsPort: port } = config
    const metricsServer = port === undefined ? undefined : startMetricsServer({ host, port }, page)
    if (metricsServer) observe({ kind: 'metrics-listening', url: metricsServer.url })
    const stopRecording = recordKeyUses(ring, observe, recordUsesEveryMs)
    const warn = (): void => warningsOf(config, certificate, store.state().lastBackupAt).forEach(observe)
    // Of several processes, the first one does.
    if (!config.processIndex) warn()
    const warnings = config.processIndex ? undefined : setInterval(warn, DAY_MS)
    return {
      url: server.url,
      metricsUrl: metricsServer?.url,
      store,
      observe,
      stop: async (reason = 'stop') => {
        observe({ kind: 'draining', signal: reason })
        const unanswered = await server.drain()
        clearInterval(warnings)
        queue.flush()
        await Promise.all([stopRecording(), traces?.close(), metricsServer?.close()])
        metrics?.close()
        const cause = await store.close().catch((error: unknown) => error)
        observe({ kind: 'stopped', unanswered })
        queue.flush()
        await log.close()
        const message = 'The storage does not answer, so the database was not closed. Nothing is lost.'
        if (cause !== undefined) throw new OperatorError(message, { cause })
      },
    }
  } catch (error) {
    metrics?.close()
    await Promise.all(started.map(server => server.close()))
    await opened.close()
    throw error
  }
}

const deprecatedOperations = (): { operation: string; sunset: Date }[] =>
  Object.entries<Operation>(OPERATIONS).flatMap(([operation, { deprecated }]) =>
    deprecated === undefined ? [] : [{ operation, sunset: deprecated.sunset }],
  )

/** Loads the tracing code only if traces are on. */
async function startTraces({ environment, tracesUrl: url }: Config, report: Observe) {
  if (url === undefined) return undefined
  const { Tracing } = await import('../observability/traces.ts')
  return new Tracing({ url, version: RELEASE, environment, report })
}
