import type { MaybePromise } from './store.ts'

/** What a copy moves, in this order: a remembered request refers to its animal and its key. */
export const COPIED_TABLES = ['pets', 'api_keys', 'idempotency'] as const
export type CopiedTable = (typeof COPIED_TABLES)[number]

/** The values of one row as text, in the order of the columns: exact, and the same on every engine. */
export type CopiedRow = readonly (string | null)[]

export interface StoreFacts {
  /** The copy takes it over, so that clients' cursors and repeated requests stay valid. */
  readonly cursorSecret: string
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
}

interface Rows {
  /** All rows of a table by primary key, in batches, of one consistent state. */
  rows(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>
}

/** One consistent state of a database, whatever is written meanwhile. */
export interface CopySource extends StoreFacts, Rows {
  close(): MaybePromise<void>
}

/** An empty database with one open transaction: until `commit` nobody sees anything of it. */
export interface CopyTarget extends Rows {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): MaybePromise<void>
  commit(facts: StoreFacts): MaybePromise<void>
  /** Without a commit, everything is rolled back. */
  close(): MaybePromise<void>
}
