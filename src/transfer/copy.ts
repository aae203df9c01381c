import { OperatorError } from '../operator-error.ts'
import type { MaybePromise } from '../store/store.ts'
import { type CopyTarget, PARTS, type Part, type RecordCounts, type Snapshot } from '../store/transfer.ts'
import { type Digest, digestOf, Summing } from './digest.ts'

interface CopyOptions {
  readonly source: Snapshot
  /** In a form that may be shown. */
  readonly sourceName: string
  readonly target: CopyTarget
  readonly observe: (event: CopyEvent) => void
  readonly signal: AbortSignal
}

export type CopyEvent =
  | { readonly kind: 'resumed'; readonly after: bigint }
  | { readonly kind: 'phase'; readonly phase: Phase; readonly total: number }
  | { readonly kind: 'advanced'; readonly records: number }

export type Phase = 'copy' | 'check-source' | 'check-target'

export interface CopyResult {
  readonly counts: RecordCounts
  readonly checksums: { readonly [part in Part]: string }
}

/**
 * Copies a snapshot into an empty target. The target carries a mark until both sides, each read from the beginning,
 * have the same counts and checksums: before that, it cannot be taken for complete.
 */
export async function copy(options: CopyOptions): Promise<CopyResult> {
  const { source, sourceName, target, observe } = options
  const resumeAfter = await target.begin({ name: sourceName, cursorSecret: source.cursorSecret })
  if (resumeAfter > 0n) observe({ kind: 'resumed', after: resumeAfter })
  const total = PARTS.reduce((sum, part) => sum + source.counts[part], 0)
  observe({ kind: 'phase', phase: 'copy', total })
  const copied = await eachPart(part => copyPart(options, part, part === 'pets' ? resumeAfter : undefined))
  const result = await compare(options, total, copied.requests)
  await target.finish(source.lastId)
  return result
}

async function copyPart<P extends Part>(options: CopyOptions, part: P, after?: bigint): Promise<Digest> {
  const { source, target } = options
  const summing = new Summing(part)
  let writing: MaybePromise<void> = Promise.resolve()
  for await (const batch of source.batches[part](after)) {
    await writing
    // Not awaited yet: while one side writes, the other reads the next batch.
    writing = target.add[part](batch)
    writing?.catch(() => {})
    summing.add(batch)
    await advance(options, batch.length)
  }
  await writing
  return summing.digest()
}

/** Remembered requests of the source are not read again: expired ones may have been deleted since. */
async function compare(options: CopyOptions, total: number, requests: Digest): Promise<CopyResult> {
  const stored = await options.target.snapshot()
  const sums = async (phase: Phase, snapshot: Snapshot, known?: Digest): Promise<Record<Part, Digest>> => {
    options.observe({ kind: 'phase', phase, total: total - (known?.count ?? 0) })
    const read = (records: number) => advance(options, records)
    return eachPart(part => (part === 'requests' && known) || digestOf(snapshot, part, read))
  }
  const expected = await sums('check-source', options.source, requests)
  const found = await sums('check-target', stored)
  await stored.close()

  const differing = PARTS.filter(part => expected[part].checksum !== found[part].checksum)
  if (differing.length > 0) {
    await options.target.clear()
    throw new OperatorError(
      `The copy differs from its source (${differing.map(part => `${part}: ${found[part].count} of ${expected[part].count}`).join(', ')}). The target was emptied and stays marked as unfinished; run the same command again.`,
    )
  }
  return {
    counts: await eachPart(part => found[part].count),
    checksums: await eachPart(part => found[part].checksum),
  }
}

/** Yields to signals and timers: engines that respond synchronously would otherwise never do so. */
async function advance({ observe, signal }: CopyOptions, records: number): Promise<void> {
  observe({ kind: 'advanced', records })
  await new Promise(resolve => setImmediate(resolve))
  signal.throwIfAborted()
}

/** One after the other, in their order. */
async function eachPart<T>(work: (part: Part) => MaybePromise<T>): Promise<Record<Part, T>> {
  const results: Partial<Record<Part, T>> = {}
  for (const part of PARTS) results[part] = await work(part)
  return results as Record<Part, T>
}
