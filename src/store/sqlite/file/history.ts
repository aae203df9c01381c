const LOOK_EVERY_MS = 1000

interface HistoryOptions {
  readonly known: string
  readonly schemaVersion: () => Promise<string>
  /** Whether the database hangs. Then nothing new can be learnt, and nothing is known to be wrong. */
  readonly isStalled: () => boolean
}

/**
 * Identifies the database's history. A service only adds animals, but other programs may put an earlier state back
 * while it runs (`.restore`, `.read` of a dump). All of them change the schema cookie, which nothing else changes while
 * the service runs.
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
      // Reads fail in the same way; until one succeeds, cached answers are not trusted.
      if (!isStalled()) number++
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return { number: () => number, stop: () => clearInterval(timer) }
}
