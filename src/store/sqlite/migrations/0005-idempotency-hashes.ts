import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/limits.ts'
import { hashOfIdempotencyKey } from '../../idempotency.ts'
import { singleValue } from '../file/database.ts'
import idempotency from './0002-idempotency.sql' with { type: 'text' }

const ROWS_AT_A_TIME = 10_000

interface PlainRow {
  key_id: string
  key: string
  pet_id: bigint
  created_at: bigint
}

/**
 * Replaces client keys with their hashes. SQLite has no hash function, so the rows pass through this process in
 * batches. They are appended to a temporary table and sorted afterwards: inserted unsorted, each row would write
 * another page.
 */
export function hashSqliteKeys(database: Database): void {
  const secret = String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'"))
  // Overwrite deleted data: the keys must not remain in free pages of the file.
  database.run('PRAGMA secure_delete = ON')
  const index = String(
    singleValue(database, "SELECT sql FROM sqlite_schema WHERE name = 'idempotency_by_age'"),
  )
  database.run('ALTER TABLE idempotency RENAME TO idempotency_plain')
  database.run('DROP INDEX idempotency_by_age')
  database.run('CREATE TEMP TABLE hashed (key_id TEXT, key TEXT, pet_id INTEGER, created_at INTEGER)')
  const page = database.prepare<PlainRow, [string, string, bigint, number]>(
    `SELECT key_id, key, pet_id, created_at FROM idempotency_plain
     WHERE (key_id, key) > (?, ?) AND created_at > ? ORDER BY key_id, key LIMIT ?`,
  )
  const insert = database.prepare('INSERT INTO hashed (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)')
  const since = BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)
  let last: Pick<PlainRow, 'key_id' | 'key'> | undefined = { key_id: '', key: '' }
  while (last !== undefined) {
    const rows: PlainRow[] = page.all(last.key_id, last.key, since, ROWS_AT_A_TIME)
    for (const { key_id, key, pet_id, created_at } of rows)
      insert.run(key_id, hashOfIdempotencyKey({ keyId: key_id, key }, secret), pet_id, created_at)
    last = rows.at(-1)
  }
  page.finalize()
  insert.finalize()
  database.run('DROP TABLE idempotency_plain')
  database.run(idempotency)
  database.run('DROP INDEX idempotency_by_age')
  database.run(`INSERT INTO idempotency (key_id, key, pet_id, created_at)
    SELECT key_id, key, pet_id, created_at FROM hashed ORDER BY key_id, key`)
  database.run(index)
  database.run('DROP TABLE hashed')
  database.run('PRAGMA secure_delete = OFF')
}
