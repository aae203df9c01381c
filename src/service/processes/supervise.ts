import { findPort, urlOf } from '../../api/server.ts'
import { readTlsPair } from '../../api/tls.ts'
import type { Config } from '../../config/load.ts'
import { SETTINGS } from '../../config/settings.ts'
import { fanOut } from '../../observability/fan-out.ts'
import type { Log } from '../../observability/logger.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import { engineOf } from '../../store/engines.ts'
import { scheduleBackups } from '../backups/schedule.ts'
import { announce, firstKey } from '../first-key.ts'
import { endInAnyCase } from '../stopping/last-resort.ts'
import { reasonToStop } from '../stopping/reason-to-stop.ts'
import { newMetrics, serveMetrics } from '../telemetry.ts'
import { Fleet } from './fleet.ts'
import { SocketPlace } from './socket-place.ts'

/** Later than the processes end or are killed. */
const STOP_MS = 9600

/**
 * Starts several processes that serve on one port, and does what must happen once: the first key, the welcome, backups,
 * metrics and signals. It answers no requests and holds no database connection.
 */
export async function supervise(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  if (config.tls) readTlsPair(config.tls)
  const port = findPort({ ...config, variable: SETTINGS.port.variable })
  // This reports a problem with the database once, instead of once per process.
  const { key, mark } = await prepare(config, isWelcome)
  const metrics = config.metrics && newMetrics()
  const observe = fanOut([log.observe, metrics?.observe])
  const place = config.database.engine === 'sqlite' ? new SocketPlace() : undefined
  const fleet = new Fleet({
    wanted: config.processes,
    port,
    sharing: place && { socket: place.path, mark },
    observe,
  })
  const stopping = reasonToStop(() => void fleet.reload())
  // However the supervisor ends: a second Ctrl-C does not wait for the processes.
  process.on('exit', () => {
    fleet.kill()
    place?.[Symbol.dispose]()
  })
  const stopMetrics = serveMetrics(config, metrics && (() => fleet.page(metrics.render())), observe)
  const stopBackups = scheduleBackups(config, observe)
  let failure: unknown
  const start = await Promise.race([
    fleet.start().then(
      () => 'serving' as const,
      (cause: unknown) => {
        failure = cause
        return 'failed' as const
      },
    ),
    stopping.then(() => 'cut short' as const),
  ])
  if (start === 'serving') {
    const url = urlOf(config.tls ? 'https' : 'http', config.host, port)
    announce({ ...log, observe }, { config, url, key, isWelcome })
  }
  if (start !== 'failed') observe({ kind: 'draining', signal: await stopping })
  const callOff = endInAnyCase(observe, log.writer, STOP_MS)
  stopBackups()
  const { unanswered, unclean } = await fleet.stop()
  metrics?.close()
  await stopMetrics()
  observe({ kind: 'stopped', unanswered })
  await log.writer.close()
  callOff()
  if (start === 'failed')
    throw new OperatorError(`Not all processes could start: ${messageOf(failure)}. See the messages above.`)
  if (unclean.length > 0)
    throw new OperatorError(`Not all processes ended by themselves (${unclean.join(', ')}). Nothing is lost.`)
}

async function prepare(config: Config, isWelcome: boolean) {
  const store = await engineOf(config).open({ create: true })
  try {
    return { key: await firstKey(store, config, isWelcome), mark: store.mark }
  } finally {
    await store.close()
  }
}
