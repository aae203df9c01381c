const LOOK_EVERY_MS = 250

/**
 * Resolves when npx has ended. It runs us below a shell and sends its signals to that shell, which dies of them and tells us
 * nothing. Who our parent is can be asked on every system; being told of its death is possible on Linux only.
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
