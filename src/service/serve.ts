import type { Config } from '../config/load.ts'
import type { LineOptions, Log } from '../observability/log.ts'
import { startService } from './service.ts'
import { endInTime, stopSignal } from './signals.ts'
import { announce, welcome } from './welcome.ts'

/** What `serve` does until a signal arrives. With `isWelcome` a person reads the output: the first key is created and shown. */
export async function serve(config: Config, log: Log, lines: LineOptions, isWelcome: boolean): Promise<void> {
  const { url, newKey, observe, stop } = await startService(config, log, { lines, isWelcome })
  // Until now a signal ended the process immediately; from now on it drains the service.
  const stopping = stopSignal()
  // The new key is stored by now, so it works as soon as it is shown.
  if (isWelcome) log.print(welcome(url, config, newKey))
  announce(url, config, observe)
  await endInTime(stop(await stopping), log)
}
