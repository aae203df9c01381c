/** npm sends the Ctrl-C that the terminal has sent already once more. What a person adds comes later. */
const PERSON_MS = 1000

/** Resolves at the first SIGTERM or SIGINT. One more that a person sends, of either kind, ends the process at once. */
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
