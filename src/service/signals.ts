import type { Log } from '../observability/log.ts'

/** After Ctrl-C the terminal and npm each send a SIGINT. A second one from a person comes later than this. */
const PERSON_MS = 1000
/** With the second that the log may take, it stays just below the 10 seconds within which the process ends. */
const STOP_MS = 8500

/** Resolves at the first SIGTERM, SIGINT or SIGHUP, which stop the service. A second one from a person ends the process immediately. */
export function stopSignal(): Promise<NodeJS.Signals> {
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

/** Ends a process that does not finish stopping, with a line in the log. */
export async function endInTime(stopped: Promise<void>, log: Log): Promise<void> {
  const timer = setTimeout(async () => {
    log.add({ kind: 'stopped-by-force', afterMs: STOP_MS }, Date.now())
    await log.close()
    process.exit(1)
  }, STOP_MS)
  try {
    await stopped
  } finally {
    clearTimeout(timer)
  }
}
