import { createHash } from 'node:crypto'
import { OperatorError } from '../operator-error.ts'
import { DatabaseMoved } from './errors.ts'

/**
 * The copied tables with their primary keys. Idempotency keys are copied after their animals and API keys. Each table has the same
 * columns in the same order on every engine, and is sorted by the bytes of its key.
 */
const COPIED_TABLES = { pets: 'id', api_keys: 'id', idempotency: 'key_id, key' }
export type CopiedTable = keyof typeof COPIED_TABLES
export const TABLE_NAMES = Object.keys(COPIED_TABLES) as CopiedTable[]

/** A row's values by column. An integer is decimal text, which is exact and the same on every engine. */
export type CopiedRow = Readonly<Record<string, string | null>>

export const selectRows = (table: CopiedTable): string =>
  `SELECT * FROM ${table} ORDER BY ${COPIED_TABLES[table]}`

/** Number of rows read or written at a time. */
export const COPY_BATCH = 10_000

/** The `meta` entries with the location that a database is copied to, and the time when the copy was complete. */
export const MOVED_TO = 'moved_to'
export const MOVED_AT = 'moved_at'

/** The entries that a database has of these; without MOVED_AT, a copy was begun. */
export type CopyMark = Readonly<Record<string, string>>

interface Source {
  /** Refuses a database that cannot be copied. */
  check(): Promise<unknown>
  mark(mark: CopyMark): Promise<void>
}

/** Copies with the mark in place that a copy was begun, and takes it back if that fails. */
export async function whileMarked<T>(
  { check, mark }: Source,
  to: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await check()
  } catch (error) {
    // A copy that was killed is repeated. Its mark stays, because an earlier one may have been completed.
    if (error instanceof DatabaseMoved && error.newLocation === to) return work()
    throw error
  }
  await mark({ [MOVED_TO]: to })
  try {
    return await work()
  } catch (error) {
    await mark({})
    throw error
  }
}

/** All rows of a table in batches, sorted by primary key. */
type Rows = (table: CopiedTable) => AsyncIterable<readonly CopiedRow[]>

/** One consistent state of a database, even while it is being written to. */
export interface CopySource {
  readonly rows: Rows
  /** Copied so that clients' cursors and retries stay valid. */
  readonly cursorSecret: string
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
}

/** An empty database in a transaction. Nothing in it is visible before the commit. */
export interface CopyTarget {
  readonly rows: Rows
  readonly insert: (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<void>
}

export interface CopyControl {
  readonly onRows: (count: number) => void
  readonly signal: AbortSignal
}

export interface CopiedPart {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all rows as text, in the order of their keys. */
  readonly checksum: string
}

/** Copies all rows, reads them back from the target, and fails unless they are the same. */
export async function copyRows(
  source: CopySource,
  target: CopyTarget,
  { onRows, signal }: CopyControl,
): Promise<CopiedPart[]> {
  const partOf = async (table: CopiedTable, { rows }: { rows: Rows }, insert?: CopyTarget['insert']) => {
    const hash = createHash('sha256')
    let count = 0
    for await (const batch of rows(table)) {
      await insert?.(table, batch)
      hash.update(batch.map(row => `${JSON.stringify(row)}\n`).join(''))
      count += batch.length
      onRows(batch.length)
      // Synchronous engines would otherwise keep signals and timers waiting.
      await new Promise(resolve => setImmediate(resolve))
      signal.throwIfAborted()
    }
    return { table, rows: count, checksum: hash.digest('hex') }
  }
  const parts: CopiedPart[] = []
  for (const table of TABLE_NAMES) {
    const part = await partOf(table, source, target.insert)
    const stored = await partOf(table, target)
    if (stored.checksum !== part.checksum)
      throw new OperatorError(
        `The copy differs from its source (${table}: ${stored.rows} of ${part.rows} rows), so it was rolled back.`,
      )
    parts.push(part)
  }
  return parts
}
