import type { Config } from '../../config/load.ts'
import type { Log } from '../../observability/logger.ts'
import type { Sharing } from '../../store/engine.ts'
import { assertClosed, startInstance } from '../instance.ts'
import { endInAnyCase } from '../stopping/last-resort.ts'
import { Supervisor } from './supervisor.ts'

/** Serves on a port shared with other processes until the supervisor says to stop or is gone. */
export async function serveAmongOthers(
  config: Config,
  { observe: log, writer }: Log,
  sharing: Sharing | undefined,
): Promise<void> {
  const supervisor = new Supervisor(config.processes)
  const { observe, metricsPage, stop } = await startInstance(config, log, {
    processes: () => supervisor.counts,
    sharing,
  })
  supervisor.serving(metricsPage)
  await supervisor.stopping
  const callOff = endInAnyCase(observe, writer)
  const ending = await stop()
  await supervisor.goodbye(ending.unanswered)
  await writer.close()
  callOff()
  assertClosed(ending)
}
