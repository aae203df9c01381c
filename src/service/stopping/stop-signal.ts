/** After Ctrl-C the terminal and npm each send a SIGINT. A second one from a person comes later than this. */
const PERSON_MS = 1000

/** Resolves at the first SIGTERM or SIGINT. A second one from a person, of either kind, ends the process at once. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let firstAt: number | undefined
  const receive = (signal: string): void => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > PERSON_MS) process.exit(1)
    resolve(signal)
  }
  process.on('SIGTERM', receive)
  process.on('SIGINT', receive)
  return promise
}
