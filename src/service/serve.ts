import type { Config } from '../config/load.ts'
import type { Log } from '../observability/log.ts'
import { startInstance } from './instance.ts'
import { serveChild, supervise } from './processes.ts'
import { endInTime, stopSignal } from './signals.ts'
import { announce, firstKey } from './welcome.ts'

/** What `serve` does until a signal arrives. With `isWelcome` a person reads the output: the first key is made and shown. */
export async function serve(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  if (config.processIndex !== undefined) return serveChild(config, log, config.processIndex)
  if (config.processes > 1) return supervise(config, log, isWelcome)
  const { url, store, observe, stop } = await startInstance(config, log)
  // Before the first request is handled, so that all are answered. Until then a signal ends the process at once.
  const stopping = stopSignal()
  const key = await firstKey(store, config, isWelcome)
  announce(url, config, { log, observe, key, isWelcome })
  await endInTime(stop(await stopping), log)
}
