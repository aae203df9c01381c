import { startMetricsServer } from '../api/metrics-server.ts'
import { newRateCounts } from '../api/rate-limit.ts'
import type { Config } from '../config/load.ts'
import type { TlsPair } from '../config/tls.ts'
import { OPERATIONS, type Operation } from '../contract/operations.ts'
import { originOf } from '../contract/servers.ts'
import { Counter } from '../observability/counts.ts'
import { inBackground, type Observe } from '../observability/events.ts'
import type { Log } from '../observability/log.ts'
import {
  combined,
  type Figures,
  figuresBy,
  renderMetrics,
  seconds,
  series,
} from '../observability/metrics.ts'
import { messageOf, OperatorError } from '../operator-error.ts'
import { pageFiles } from '../pages/files.ts'
import { RELEASE } from '../release.ts'
import { startThread } from '../start-thread.ts'
import type { DatabaseFigures } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import { DAY_MS } from '../warnings.ts'
import { assertCanListen, warningsOf } from './check-start.ts'
import { storeFirstKey } from './first-key.ts'
import { ListenerThread, type ListenerWorker } from './threads.ts'

export interface ServiceOptions {
  /** A person reads the output: the first key is created and shown. */
  readonly isWelcome?: boolean
  /** Whether to create the database if there is none, which is the default. */
  readonly create?: boolean
  readonly startWorker?: (() => ListenerWorker) | undefined
}

/** What the main thread does. If it fails, the process ends, and whatever was started with it. */
export async function startService(config: Config, log: Log, options: ServiceOptions) {
  const { host, metricsPort, rateLimit } = config
  const { isWelcome = false, create = true, startWorker = startListener } = options
  const counter = new Counter()
  const observe: Observe = event => {
    counter.add(event)
    log.add(event)
  }
  // Before the database is created, because a port in use must leave none behind.
  const tls = await assertCanListen(config)
  const engine = await engineOf(config)
  const { kept, result: newKey } = await engine.prepare(create, observe, keys =>
    storeFirstKey(keys, config, isWelcome, observe),
  )

  const threadOptions = {
    startWorker,
    listener: {
      config,
      pageFiles: pageFiles(config, observe),
      tls,
      rateCounts: rateLimit && newRateCounts(),
      failed: new Int32Array(new SharedArrayBuffer(4)),
      lines: log.options,
    },
    newLink: kept.newLink,
    print: (lines: string) => log.print(lines),
    observe,
  }
  // The first thread finds the port, if it may be any.
  const first = new ListenerThread('listener 1', threadOptions)
  const port = await first.start(config.port)
  const others = Array.from(
    { length: config.threads - 1 },
    (_, n) => new ListenerThread(`listener ${n + 2}`, threadOptions),
  )
  await Promise.all(others.map(thread => thread.start(port)))
  const threads = [first, ...others]

  async function metricsPage(): Promise<string> {
    const ready = Promise.all(threads.map(thread => thread.isReady()))
    const figures = await Promise.all(threads.map(thread => thread.figures()))
    const petstore_ready = (await ready).every(Boolean) ? 1 : 0
    const ofProcess = processFigures(config, kept.figures(), tls)
    return renderMetrics(combined([ofProcess, { petstore_ready }, counter.figures(), ...figures]))
  }
  const metrics =
    metricsPort === undefined
      ? undefined
      : startMetricsServer({ host, port: metricsPort }, metricsPage, observe)
  const warnNow = (): void => warningsOf(tls, kept.figures().lastBackupAt).forEach(observe)
  const warn = () => inBackground('looking for warnings', observe, warnNow)
  await warn()
  const warnings = setInterval(warn, DAY_MS)

  return {
    url: originOf(tls ? 'https' : 'http', host, port),
    /** The first API key, if it was just created. */
    newKey,
    observe,
    /** Completes the requests in progress, closes everything and ends the log. Throws if the store could not be closed. */
    stop: async (reason = 'stop'): Promise<void> => {
      observe({ kind: 'draining', signal: reason })
      const unfinished = await Promise.all(threads.map(thread => thread.drain()))
      clearInterval(warnings)
      await metrics?.close()
      const cause = await kept.close().catch((error: unknown) => error)
      observe({ kind: 'stopped', unfinished: unfinished.reduce((sum, count) => sum + count) })
      await log.close()
      const message = `The database was not closed: ${messageOf(cause)}. Nothing is lost.`
      if (cause !== undefined) throw new OperatorError(message, { cause })
    },
  }
}

const startListener = (): Worker => startThread('service/listener-worker.ts')

/** What the process has once, however many threads it has. */
function processFigures(
  { environment, database: { engine } }: Config,
  { walBytes, freeBytes, lastBackupAt }: DatabaseFigures,
  tls: TlsPair | undefined,
): Figures {
  const { user, system } = process.cpuUsage()
  const sunsets = Object.entries<Operation>(OPERATIONS).map(
    ([id, { deprecated }]) => [id, seconds(deprecated?.sunset)] as const,
  )
  return {
    [series('petstore_info', { version: RELEASE, environment, engine })]: 1,
    petstore_store_log_bytes: walBytes,
    petstore_store_free_bytes: freeBytes,
    petstore_backup_timestamp_seconds: lastBackupAt === null ? 0 : seconds(lastBackupAt),
    petstore_certificate_expiry_timestamp_seconds: seconds(tls?.expires),
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: process.memoryUsage.rss(),
    ...figuresBy('petstore_sunset_timestamp_seconds', 'operation', sunsets),
  }
}
