import type { Config } from '../config/load.ts'
import type { Log } from '../observability/log.ts'
import { startInstance } from './instance.ts'
import { startWarnings } from './prepare.ts'
import { serveChild, supervise } from './processes.ts'
import { endInTime, stopSignal } from './signals.ts'
import { firstKey, listeningEvent, noKeyEvent, welcome } from './welcome.ts'

interface ServeOptions {
  /** Whether a person reads the output: a key is made if there is none, and shown once. */
  readonly isWelcome: boolean
  /** Which of several processes this is, where another one started it. */
  readonly processIndex: number | undefined
}

/** What `serve` does until a signal arrives. */
export async function serve(config: Config, log: Log, options: ServeOptions): Promise<void> {
  if (options.processIndex !== undefined) return serveChild(config, log, options.processIndex)
  return config.processes > 1
    ? supervise(config, log, options.isWelcome)
    : serveAlone(config, log, options.isWelcome)
}

async function serveAlone(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  const { url, store, observe, stop } = await startInstance(config, log)
  // Before the first request is handled, so that all are answered. Until then a signal ends the process at once.
  const stopping = stopSignal()
  const key = await firstKey(store, config, isWelcome)
  if (isWelcome) log.print(welcome(url, config, key.made))
  if (key.isMissing) observe(noKeyEvent(config))
  for (const warning of startWarnings(config)) observe(warning)
  observe(listeningEvent(url, config))
  const signal = await stopping
  await endInTime(stop(signal), log)
}
