import { createHash } from 'node:crypto'
import { OperatorError } from '../operator-error.ts'
import { type CopiedRow, type CopySource, type CopyTarget, TABLE_NAMES } from '../store/copy.ts'

export interface CopiedPart {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all rows as text, in the order of their keys. */
  readonly checksum: string
}

interface CopyOptions {
  readonly source: CopySource
  readonly target: CopyTarget
  readonly onRows: (count: number) => void
  readonly signal: AbortSignal
}

/** Copies everything into the target's one transaction, reads it back there, and fails unless it is the same. */
export async function copyStore({ source, target, onRows, signal }: CopyOptions): Promise<CopiedPart[]> {
  const pass = async (rows: readonly CopiedRow[]): Promise<void> => {
    onRows(rows.length)
    // Engines that answer synchronously would otherwise keep signals and timers waiting.
    await new Promise(resolve => setImmediate(resolve))
    signal.throwIfAborted()
  }
  const parts: CopiedPart[] = []
  for (const table of TABLE_NAMES)
    parts.push(
      await partOf(table, source.rows(table), async rows => {
        await target.insert(table, rows)
        await pass(rows)
      }),
    )
  for (const [index, table] of TABLE_NAMES.entries()) {
    const stored = await partOf(table, target.rows(table), pass)
    const { rows, checksum } = parts[index] as CopiedPart
    if (stored.rows !== rows || stored.checksum !== checksum)
      throw new OperatorError(
        `The copy differs from its source (${table}: ${stored.rows} of ${rows} rows), so it was rolled back.`,
      )
  }
  return parts
}

async function partOf(
  table: string,
  batches: AsyncIterable<readonly CopiedRow[]>,
  take: (rows: readonly CopiedRow[]) => Promise<void>,
): Promise<CopiedPart> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of batches) {
    hash.update(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    count += rows.length
    await take(rows)
  }
  return { table, rows: count, checksum: hash.digest('hex') }
}
