import { urlOf } from '../api/listen.ts'
import { startMetricsServer } from '../api/metrics-server.ts'
import { rateLimitMemory } from '../api/rate-limit.ts'
import type { Config } from '../config/load.ts'
import { OPERATIONS, type Operation } from '../contract/operations.ts'
import { DAY_MS } from '../findings.ts'
import { Counter, newCounts, sumOf } from '../observability/counts.ts'
import { type Event, EventQueue, type Observe } from '../observability/events.ts'
import type { LineOptions, Log } from '../observability/log.ts'
import { renderMetrics, type StoreFigures } from '../observability/metrics.ts'
import { OperatorError } from '../operator-error.ts'
import { engineOf } from '../store/engines.ts'
import type { Store } from '../store/store.ts'
import { RELEASE } from '../this-program.ts'
import { assertCanListen, warningsOf } from './check-start.ts'
import type { Report } from './listener.ts'
import { type StartWorker, startListenerThread, Threads } from './threads.ts'
import { storeFirstKey } from './welcome.ts'

/** Threads refuse a database within about a second of each other. */
const SAME_REFUSAL_MS = 10_000

interface ServiceOptions {
  readonly lines: LineOptions
  /** A person reads the output: the first key is created and shown. */
  readonly isWelcome?: boolean
  readonly recordUsesEveryMs?: number | undefined
  readonly startWorker?: StartWorker
}

interface Service {
  readonly url: string
  /** The first API key, if it was just created. */
  readonly newKey: string | undefined
  readonly observe: Observe
  /** Completes the requests in progress, closes everything and ends the log. Throws if the store could not be closed. */
  stop(reason?: string): Promise<void>
}

/** What the main thread does: it opens the store, starts the threads that serve requests, and logs and counts for all of them. */
export async function startService(config: Config, log: Log, options: ServiceOptions): Promise<Service> {
  const { host, threads: count, metricsPort, rateLimit } = config
  const counter = metricsPort === undefined ? undefined : new Counter(false)
  const queue = new EventQueue([counter, log])
  const { observe } = queue
  // Before the database is created, because a port in use must leave none behind.
  const tls = assertCanListen(config)
  const engine = await engineOf(config)
  const store = await engine.open({ create: true, caller: 'service', observe })
  const newKey = await storeFirstKey(store, config, options.isWelcome === true, observe)
  // Without a writer for all threads, each has its own connections, and this one needs none.
  if (store.connectWriter === undefined) await store.close()
  const { lines, recordUsesEveryMs, startWorker = startListenerThread } = options
  const threads = new Threads({
    count,
    listener: {
      config,
      port: config.port,
      tls,
      rateLimits: rateLimit && rateLimitMemory(),
      lines,
      recordUsesEveryMs,
    },
    startWorker,
    observe,
    print: text => {
      queue.flush()
      log.print(text)
    },
    events: new OnceForAll(observe),
    connectWriter: store.connectWriter,
  })
  const closeStore = async (): Promise<void> => {
    if (store.connectWriter !== undefined) await store.close()
  }
  try {
    const port = await threads.start()
    const page = async (): Promise<string> => {
      const { reports, counted } = await threads.reports()
      queue.flush()
      const all = sumOf(counted, { counts: counter?.counts, caches: {} })
      return metricsPage(config, reports, all, { store, certificateExpiry: tls?.expires })
    }
    const metrics =
      metricsPort === undefined ? undefined : startMetricsServer({ host, port: metricsPort }, page)
    if (metrics) observe({ kind: 'metrics-listening', url: metrics.url })
    const backupAt = () => (store.connectWriter ? store.state().lastBackupAt : undefined)
    const warn = (): void => warningsOf(config, tls?.expires, backupAt()).forEach(observe)
    warn()
    const warnings = setInterval(warn, DAY_MS)
    return {
      url: urlOf(tls ? 'https' : 'http', host, port),
      newKey,
      observe,
      stop: async (reason = 'stop') => {
        observe({ kind: 'draining', signal: reason })
        const unanswered = await threads.drain()
        clearInterval(warnings)
        await metrics?.close()
        counter?.close()
        const cause = await closeStore().catch((error: unknown) => error)
        observe({ kind: 'stopped', unanswered })
        queue.flush()
        await log.close()
        const message = 'The storage does not respond, so the database was not closed. Nothing is lost.'
        if (cause !== undefined) throw new OperatorError(message, { cause })
      },
    }
  } catch (error) {
    counter?.close()
    threads.close()
    await closeStore().catch(() => {})
    throw error
  }
}

/** Reports events of listeners. What several threads notice is reported once for the service. */
class OnceForAll {
  readonly #observe: Observe
  readonly #stalled = new Set<number>()
  readonly #expiring = new Set<string>()
  /** By reason, of which there are few. */
  readonly #refusedAt = new Map<string, number>()

  constructor(observe: Observe) {
    this.#observe = observe
  }

  report(index: number, event: Event): void {
    const wasStalled = this.#stalled.size > 0
    if (event.kind === 'storage-stalled') {
      this.#stalled.add(index)
      if (wasStalled) return
    } else if (event.kind === 'storage-recovered') {
      this.#stalled.delete(index)
      if (this.#stalled.size > 0 || !wasStalled) return
    } else if (event.kind === 'key-expires-soon') {
      if (this.#expiring.has(event.keyId)) return
      this.#expiring.add(event.keyId)
    } else if (event.kind === 'database-refused') {
      const last = this.#refusedAt.get(event.reason) ?? Number.NEGATIVE_INFINITY
      this.#refusedAt.set(event.reason, performance.now())
      if (performance.now() - last < SAME_REFUSAL_MS) return
    }
    this.#observe(event)
  }

  forget(index: number): void {
    this.#stalled.delete(index)
  }
}

interface Own {
  readonly store: Store
  readonly certificateExpiry: Date | undefined
}

/** The page of metrics: the figures of all threads added up. */
function metricsPage(
  { environment, database }: Config,
  reports: readonly Report[],
  { counts = newCounts(), caches }: Pick<Report, 'counts' | 'caches'>,
  { store, certificateExpiry }: Own,
): string {
  const sum = (figure: (state: StoreFigures) => number | undefined): number =>
    reports.reduce((total, report) => total + (figure(report.store) ?? 0), 0)
  const expiries = reports.flatMap(({ keyExpiry }) => keyExpiry ?? []).map(Number)
  return renderMetrics({
    counts,
    caches,
    version: RELEASE,
    environment,
    store: {
      ...(store.connectWriter && store.state()),
      engine: database.engine,
      waiting: sum(({ waiting }) => waiting),
      isStalled: reports.some(report => report.store.isStalled),
      ...(database.engine === 'postgres' && {
        waitingForConnection: sum(({ waitingForConnection }) => waitingForConnection),
      }),
    },
    sunsets: deprecatedOperations(),
    keyExpiry: expiries.length === 0 ? undefined : new Date(Math.min(...expiries)),
    certificateExpiry,
  })
}

const deprecatedOperations = (): { operation: string; sunset: Date }[] =>
  Object.entries<Operation>(OPERATIONS).flatMap(([operation, { deprecated }]) =>
    deprecated === undefined ? [] : [{ operation, sunset: deprecated.sunset }],
  )
