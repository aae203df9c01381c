/** Resolves at the first SIGTERM or SIGINT. A second one, of either kind, ends the process at once. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = false
  const receive = (signal: string): void => {
    if (received) process.exit(1)
    received = true
    resolve(signal)
  }
  process.on('SIGTERM', receive)
  process.on('SIGINT', receive)
  return promise
}
