import { constants, Database, type Statement } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { BUSY_TIMEOUT_MS } from './database.ts'
import { isUnopenable } from './failures.ts'

/** A read-only connection with exact integers. Waits for a process that is opening or creating the database. */
export function openReading(path: string, waitForLockMs = BUSY_TIMEOUT_MS): Database {
  const database = new Database(path, { readonly: true, safeIntegers: true, strict: true })
  try {
    database.run(`PRAGMA busy_timeout = ${waitForLockMs}`)
    // The first use of the log: SQLite creates an index beside it to read it, which fails in a read-only folder.
    database.run('PRAGMA schema_version')
    return database
  } catch (error) {
    database.close()
    if (!isUnopenable(error) || isInUse(path)) throw error
    return new ImmutableDatabase(path)
  }
}

/** A non-empty log, or its index, belongs to a process that may still write. */
const isInUse = (path: string): boolean =>
  Boolean(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) ||
  statSync(`${path}-shm`, { throwIfNoEntry: false }) !== undefined

/** A file that cannot change, read without locks. */
class ImmutableDatabase extends Database {
  constructor(path: string) {
    super(
      `${pathToFileURL(path).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    )
  }

  // The runtime accepts a URI only with numeric flags, and then accepts no other options.
  override prepare: Database['prepare'] = ((sql: string, parameters?: never) =>
    exact(super.prepare(sql, parameters))) as Database['prepare']

  override query: Database['query'] = ((sql: string) => exact(super.query(sql))) as Database['query']
}

const exact = (statement: Statement): Statement => statement.safeIntegers(true)
