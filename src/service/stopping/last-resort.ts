import type { Observe } from '../../observability/events.ts'
import type { LineWriter } from '../../observability/line-writer.ts'

/** With the second that the log may take, it stays just below the 10 seconds within which the process ends. */
const AFTER_MS = 8500

/** Ends a process that does not finish stopping, with a line in the log. The returned function cancels this. */
export function endInAnyCase(observe: Observe, log: LineWriter, afterMs = AFTER_MS): () => void {
  const timer = setTimeout(async () => {
    observe({ kind: 'stopped-by-force', afterMs })
    await log.close()
    process.exit(1)
  }, afterMs)
  return () => clearTimeout(timer)
}
