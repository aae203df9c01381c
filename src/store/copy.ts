import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperatorError } from '../operator-error.ts'

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

/** A source keeps its mark; a target has one until it is complete. */
export interface CopyMark {
  readonly role: 'source' | 'target'
  /** The location of the other database. */
  readonly other: string
}

/** A service that used this database would work on animals and keys that no client sees, or on none. */
export class PartOfCopy extends OperatorError {
  readonly mark: CopyMark

  constructor(url: string, entry: string) {
    const mark = JSON.parse(entry) as CopyMark
    const state =
      mark.role === 'source'
        ? `A copy of the database ${url} to ${mark.other} was begun. Use that one. If it is not complete`
        : `The copy of ${mark.other} to the database ${url} is not complete. If it is no longer running`
    super(`${state}, run the copy again with the same settings and flags.`, { exit: 'invalid' })
    this.mark = mark
  }
}

/** The `meta` entry of a database that is part of a copy. Only `copy` uses such a database. */
export const COPY_MARK = 'copy_mark'

/** Sets a mark where there is none, or removes it. */
export const markStatement = (mark?: CopyMark): [sql: string, values: string[]] =>
  mark
    ? [`INSERT INTO meta (name, value) VALUES ('${COPY_MARK}', $1)`, [JSON.stringify(mark)]]
    : [`DELETE FROM meta WHERE name = '${COPY_MARK}'`, []]

/** Whether this copy was begun before. Fails if the check does, for example because of another copy. */
export async function isBegun(mark: CopyMark, check: () => unknown): Promise<boolean> {
  try {
    await check()
    return false
  } catch (error) {
    if (error instanceof PartOfCopy && Bun.deepEquals(error.mark, mark)) return true
    throw error
  }
}

/** What a database does in a copy. */
export interface Copyable {
  /** Fails if a service could not use it. */
  check(): Promise<unknown>
  /** Sets the mark that it is part of a copy, or removes it. Every service refuses a marked one, so a copy lacks nothing. */
  mark(mark?: CopyMark): Promise<void>
  /** Reads one consistent state, even while it is being written to. */
  read<T>(work: (source: CopySource) => Promise<T>): Promise<T>
  /** Fills a missing file or an empty PostgreSQL database in one transaction, and refuses any other. Marked until the commit. */
  fill<T>(mark: CopyMark, work: (target: CopyTarget) => Promise<T>): Promise<T>
}

interface Place {
  readonly location: string
  readonly engine: Copyable
}

/** Checks the source before the target is marked, and marks it after that. */
export async function copyStore(from: Place, to: Place, control: CopyControl): Promise<CopiedPart[]> {
  const own: CopyMark = { role: 'source', other: to.location }
  const isRepeated = () => isBegun(own, () => from.engine.check())
  await isRepeated()
  return to.engine.fill({ role: 'target', other: from.location }, async target => {
    const wasMarked = await isRepeated()
    if (!wasMarked) await from.engine.mark(own)
    try {
      return await from.engine.read(source => copyRows(source, target, control))
    } catch (error) {
      // After this the mark stays, because the target may be complete.
      if (!wasMarked) await from.engine.mark()
      throw error
    }
  })
}

/** All rows of a table in batches, sorted by primary key. */
type Rows = (table: CopiedTable) => AsyncIterable<readonly CopiedRow[]>

export interface CopySource {
  readonly rows: Rows
  /** Copied so that clients' cursors and retries stay valid. */
  readonly cursorSecret: string
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
}

export interface CopyTarget {
  readonly rows: Rows
  readonly continueAs: (source: CopySource) => Promise<void>
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
      await nextTurn()
      signal.throwIfAborted()
    }
    return { table, rows: count, checksum: hash.digest('hex') }
  }
  await target.continueAs(source)
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
