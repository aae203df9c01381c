import type { Config } from '../config/load.ts'
import type { Log } from '../observability/logger.ts'
import { scheduleBackups } from './backups/schedule.ts'
import { announce, firstKey } from './first-key.ts'
import { assertClosed, startInstance } from './instance.ts'
import { endInAnyCase } from './stopping/last-resort.ts'
import { reasonToStop } from './stopping/reason-to-stop.ts'
import { serveMetrics } from './telemetry.ts'

/** Serves in this process until a signal arrives. */
export async function serveAlone(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  const { server, store, observe, metricsPage, stop } = await startInstance(config, log.observe)
  // Handles signals from the first request on, so that requests in progress are always answered.
  const stopping = reasonToStop(undefined)
  const stopMetrics = serveMetrics(config, metricsPage, observe)
  const stopBackups = scheduleBackups(config, observe)
  const key = await firstKey(store, config, isWelcome)
  announce({ ...log, observe }, { config, url: server.url, key, isWelcome })

  observe({ kind: 'draining', signal: await stopping })
  const callOff = endInAnyCase(observe, log.writer)
  stopBackups()
  const ending = await stop()
  await stopMetrics()
  observe({ kind: 'stopped', unanswered: ending.unanswered })
  await log.writer.close()
  callOff()
  assertClosed(ending)
}
