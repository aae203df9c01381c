import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import type { Environment } from '../../../contract/servers.ts'
import { hasTable, singleValue } from '../file/database.ts'
import { APPLICATION_ID, assertOurFile } from '../file/inspect.ts'
import { writeTransactions } from '../writer/write-transactions.ts'
import { MIGRATIONS } from './index.ts'

/** A service of the previous release may be running, and another process may be doing the same. */
const WAIT_FOR_LOCK_MS = 10_000

const RECORDS = `
  CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

/** Upgrades the schema to this release, one transaction per step. Safe when several processes start at once. */
export function migrateSqlite(database: Database, environment: Environment): void {
  if (appliedVersion(database) === MIGRATIONS.length) return
  const transaction = writeTransactions(database, WAIT_FOR_LOCK_MS)
  transaction(() => claim(database, environment))
  // Another process may have just claimed the same new file for the other environment.
  assertOurFile(database, database.filename, environment)
  for (const [index, migration] of MIGRATIONS.entries()) {
    const version = index + 1
    transaction(() => {
      if (appliedVersion(database) >= version) return
      if (typeof migration.step === 'string') database.run(migration.step)
      else migration.step(database)
      database.run('INSERT INTO migrations VALUES (?, ?, ?)', [version, migration.name, BigInt(Date.now())])
    })
  }
  // Removed data stays in the file until the log is copied into it. This does not wait for readers.
  database.run('PRAGMA wal_checkpoint(PASSIVE)')
}

/** Records which environment owns the file before anything else is stored. */
function claim(database: Database, environment: Environment): void {
  database.run(RECORDS)
  database.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  const remember = database.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)')
  remember.run('environment', environment)
  remember.run('cursor_secret', randomBytes(32).toString('hex'))
  remember.finalize()
}

export function appliedVersion(database: Database): number {
  if (!hasTable(database, 'migrations')) return 0
  return Number(singleValue(database, 'SELECT coalesce(max(version), 0) FROM migrations'))
}
