/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const receive = (signal: string): void => {
    resolve(signal)
    process.once(signal, () => process.exit(1))
  }
  process.once('SIGTERM', receive)
  process.once('SIGINT', receive)
  return promise
}
