import type { Observe } from '../../observability/events.ts'
import type { LineWriter } from '../../observability/line-writer.ts'

/** With the second that the log may take, it leaves a little of the 10 seconds within which the process ends. */
const AFTER_MS = 8500

/** Ends a stopping process that cannot come to its end, with a line in the log; the returned function calls it off. */
export function endInAnyCase(observe: Observe, log: LineWriter, afterMs = AFTER_MS): () => void {
  const timer = setTimeout(async () => {
    observe({ kind: 'stopped-by-force', afterMs })
    await log.close()
    process.exit(1)
  }, afterMs)
  return () => clearTimeout(timer)
}
