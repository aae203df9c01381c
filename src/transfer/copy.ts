import { OperatorError } from '../operator-error.ts'
import type { MaybePromise } from '../store/store.ts'
import { type CopyTarget, type Counts, PARTS, type Part, type Snapshot } from '../store/transfer.ts'
import { type Digest, digestOf } from './digest.ts'

export interface CopyOptions {
  readonly source: Snapshot
  /** As people may see it. */
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
  readonly counts: Counts
  readonly checksums: { readonly [part in Part]: string }
}

/**
 * Copies a snapshot into an empty target. The target carries a mark until both sides, each read from the beginning,
 * have the same counts and checksums: whatever happens before that, it cannot be taken for complete.
 */
export async function copy(options: CopyOptions): Promise<CopyResult> {
  const { source, sourceName, target, observe } = options
  const resumeAfter = await target.begin({ name: sourceName, cursorSecret: source.cursorSecret })
  if (resumeAfter > 0n) observe({ kind: 'resumed', after: resumeAfter })
  const total = PARTS.reduce((sum, part) => sum + source.counts[part], 0)
  observe({ kind: 'phase', phase: 'copy', total })
  for (const part of PARTS) await copyPart(options, part, resumeAfter)

  const result = await compare(options, total)
  await target.finish(source.lastId)
  return result
}

async function copyPart<P extends Part>(options: CopyOptions, part: P, after: bigint): Promise<void> {
  const { source, target } = options
  let writing: MaybePromise<void> = Promise.resolve()
  for await (const batch of source.batches[part](after)) {
    await writing
    // Not awaited yet: while one side writes, the other reads the next batch.
    writing = target.add[part](batch)
    writing?.catch(() => {})
    await advance(options, batch.length)
  }
  await writing
}

async function compare(options: CopyOptions, total: number): Promise<CopyResult> {
  const stored = await options.target.snapshot()
  const sums = async (phase: Phase, snapshot: Snapshot): Promise<Record<Part, Digest>> => {
    options.observe({ kind: 'phase', phase, total })
    const read = (records: number) => advance(options, records)
    return {
      pets: await digestOf(snapshot, 'pets', read),
      keys: await digestOf(snapshot, 'keys', read),
      requests: await digestOf(snapshot, 'requests', read),
      deprecatedCalls: await digestOf(snapshot, 'deprecatedCalls', read),
    }
  }
  const expected = await sums('check-source', options.source)
  const found = await sums('check-target', stored)
  await stored.close()

  const differing = PARTS.filter(part => expected[part].checksum !== found[part].checksum)
  if (differing.length > 0) {
    await options.target.clear()
    throw new OperatorError(
      `The copy differs from its source (${differing.map(part => `${part}: ${found[part].count} of ${expected[part].count}`).join(', ')}). The target was emptied and stays marked as unfinished; run the same command again.`,
    )
  }
  const { pets, keys, requests, deprecatedCalls } = found
  return {
    counts: {
      pets: pets.count,
      keys: keys.count,
      requests: requests.count,
      deprecatedCalls: deprecatedCalls.count,
    },
    checksums: {
      pets: pets.checksum,
      keys: keys.checksum,
      requests: requests.checksum,
      deprecatedCalls: deprecatedCalls.checksum,
    },
  }
}

/** Lets signals and timers through: engines that answer at once would otherwise never yield to them. */
async function advance({ observe, signal }: CopyOptions, records: number): Promise<void> {
  observe({ kind: 'advanced', records })
  await new Promise(resolve => setImmediate(resolve))
  signal.throwIfAborted()
}
