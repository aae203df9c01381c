const LOOK_EVERY_MS = 1000

interface HistoryOptions {
  readonly known: string
  readonly schemaVersion: () => Promise<string>
  /** Whether the database hangs: then nothing new can be learnt, and nothing is known to be wrong. */
  readonly isStalled: () => boolean
}

/**
 * Which past the database has. A service only ever adds animals, but other programs may put an earlier state back under it
 * (`.restore`, `.read` of a dump); all of them leave another schema cookie behind, which nothing else changes while we serve.
 */
export function watchHistory({ known, schemaVersion, isStalled }: HistoryOptions): {
  readonly number: () => number
  readonly stop: () => void
} {
  let number = 0
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking || isStalled()) return
    isLooking = true
    try {
      const found = await schemaVersion()
      if (found !== known) number++
      known = found
    } catch {
      // A read fails in the same way; what was kept is not trusted meanwhile.
      if (!isStalled()) number++
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return { number: () => number, stop: () => clearInterval(timer) }
}
