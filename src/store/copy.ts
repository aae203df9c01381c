import type { MaybePromise } from './store.ts'

/**
 * The tables that a copy moves, with their primary keys: a remembered request comes after its animal and its API key. Each
 * has the same columns on every engine, in the same order, and sorts by the bytes of its key.
 */
const COPIED_TABLES = { pets: 'id', api_keys: 'id', idempotency: 'key_id, key' }
export type CopiedTable = keyof typeof COPIED_TABLES
export const TABLE_NAMES = Object.keys(COPIED_TABLES) as CopiedTable[]

/** The values of a row by column; an integer is decimal text, which is exact and the same on every engine. */
export type CopiedRow = Readonly<Record<string, string | null>>

export const selectRows = (table: CopiedTable): string =>
  `SELECT * FROM ${table} ORDER BY ${COPIED_TABLES[table]}`

/** Rows that are read or written at a time. */
export const COPY_BATCH = 10_000

/** The name in `meta` of the place that a database was copied to. */
export const MOVED_TO = 'moved_to'

/** What a copy takes over besides rows. */
export interface StoreFacts {
  /** Clients' cursors and repeated requests stay valid. */
  readonly cursorSecret: string
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
}

interface Rows {
  /** All rows of a table by primary key, in batches. */
  rows(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>
}

/** One consistent state of a database, whatever is written meanwhile. */
export type CopySource = StoreFacts & Rows

/** An empty database in a transaction: until it is committed nobody sees anything of it. */
export interface CopyTarget extends Rows {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): MaybePromise<void>
}
