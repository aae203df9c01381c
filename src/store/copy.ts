import { PET_FIELDS } from '../contract/pet-fields.ts'
import type { MaybePromise } from './store.ts'

/** A table that a copy moves, with the columns that it has on every engine. */
export interface CopiedTable {
  readonly name: 'pets' | 'api_keys' | 'idempotency'
  /** In the order of the schema. */
  readonly columns: Readonly<Record<string, 'text' | 'bigint'>>
  /** The columns of the primary key. */
  readonly key: readonly string[]
}

/** In this order: a remembered request refers to its animal and its key. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  {
    name: 'pets',
    columns: Object.fromEntries(
      PET_FIELDS.map(({ column, kind }) => [column, kind === 'int64' ? 'bigint' : 'text']),
    ),
    key: ['id'],
  },
  {
    name: 'api_keys',
    columns: {
      id: 'text',
      name: 'text',
      hint: 'text',
      hash: 'text',
      created_at: 'bigint',
      expires_at: 'bigint',
      revoked_at: 'bigint',
      last_used_at: 'bigint',
      deprecated_calls: 'bigint',
      deprecated_call_at: 'bigint',
    },
    key: ['id'],
  },
  {
    name: 'idempotency',
    columns: { key_id: 'text', key: 'text', pet_id: 'bigint', created_at: 'bigint' },
    key: ['key_id', 'key'],
  },
]

/** The values of one row as text, in the order of the columns: exact, and the same on every engine. */
export type CopiedRow = readonly (string | null)[]

/** The name in `meta` of the place that a database was copied to. */
export const MOVED_TO = 'moved_to'

/** Rows that are read or written at a time. */
export const COPY_BATCH = 10_000

/** All rows as text, in an order that no locale changes. */
export const selectRows = ({ name, columns, key }: CopiedTable, bytewise: string): string =>
  `SELECT ${Object.keys(columns).map(column => `CAST(${column} AS text) AS ${column}`)} FROM ${name}
   ORDER BY ${key.map(column => `${name}.${column}${columns[column] === 'text' ? ` COLLATE ${bytewise}` : ''}`)}`

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
