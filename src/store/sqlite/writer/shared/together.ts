import { fileCannotAnswer } from '../../file/failures.ts'
import type { EncodedBatch } from '../additions.ts'

interface Waiting {
  readonly batch: EncodedBatch
  readonly resolve: (outcome: string) => void
  readonly reject: (error: unknown) => void
}

/** One commit for the waiting batches of all processes: while one is made durable, the next ones gather. */
export function gatherBatches(
  store: (batches: readonly EncodedBatch[]) => string[],
): (...batch: EncodedBatch) => Promise<string> {
  let waiting: Waiting[] = []

  function storeAll(): void {
    const all = waiting
    waiting = []
    if (tryTogether(all) || all.length === 1) return
    // One bad batch fails them all, so each is retried alone.
    for (const one of all) tryTogether([one])
  }

  /** Returns false if retrying the batches one by one may help. */
  function tryTogether(some: readonly Waiting[]): boolean {
    try {
      const outcomes = store(some.map(({ batch }) => batch))
      for (const [index, { resolve }] of some.entries()) resolve(outcomes[index] as string)
    } catch (error) {
      if (some.length > 1 && !fileCannotAnswer(error)) return false
      for (const { reject } of some) reject(error)
    }
    return true
  }

  return (...batch) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    if (waiting.push({ batch, resolve, reject }) === 1) setImmediate(storeAll)
    return promise
  }
}
