const LOOK_EVERY_MS = 250

/**
 * Resolves when npx has ended. It runs us under a shell and sends its signals to that shell, which ends without
 * forwarding them. Every system reports our parent; only Linux can signal its death.
 */
export function endOfNpx(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    resolve('the end of npx')
  }, LOOK_EVERY_MS)
  looking.unref()
  return promise
}
