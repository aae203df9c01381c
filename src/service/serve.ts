import type { Config } from '../config/load.ts'
import { STOP_MS } from '../deadlines.ts'
import { inBackground } from '../observability/events.ts'
import type { Log } from '../observability/log.ts'
import { type ServiceOptions, startService } from './service.ts'
import { welcome } from './welcome.ts'

/** After Ctrl-C the terminal and npm each send a SIGINT. A second one from a person comes later than this. */
const PERSON_MS = 1000

/** What `serve` does until a signal arrives. */
export async function serve(config: Config, log: Log, how: ServiceOptions): Promise<void> {
  // First, because the service drains only if a signal finds a handler, and threads begin to listen one after another.
  const stopping = stopSignal()
  void stopping.then(() => setTimeout(() => endByForce(log), STOP_MS))
  const { url, newKey, observe, stop } = await startService(config, log, how)
  // The new key is stored by now, so it works as soon as it is shown.
  if (how.isWelcome) log.print(welcome(url, config, newKey))
  const { environment, database, threads } = config
  observe({ kind: 'listening', url, environment, database: database.publicName, threads })
  if (process.env.NOTIFY_SOCKET) void inBackground('systemd-notify', observe, notifySystemd)
  await stop(await stopping)
}

async function endByForce(log: Log): Promise<void> {
  log.add({ kind: 'stopped-by-force', afterMs: STOP_MS })
  await log.close()
  process.exit(1)
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP, which stop the service. A second one from a person ends the process immediately. */
function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAt: number | undefined
  const receive = (signal: NodeJS.Signals): void => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > PERSON_MS) process.exit(1)
    resolve(signal)
  }
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, receive)
  return promise
}

/** For `Type=notify`. The runtime cannot send a datagram to a Unix socket; the program of systemd can. */
const notifySystemd = (): void =>
  Bun.spawn(['systemd-notify', '--ready'], { stdio: ['ignore', 'ignore', 'inherit'] }).unref()
