import { constants, Database, type Statement } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { BUSY_TIMEOUT_MS } from './database.ts'
import { isUnopenable } from './failures.ts'

/** A connection that cannot write, with exact integers; waits for a process that is just opening or making the database. */
export function openReading(path: string, waitForLockMs = BUSY_TIMEOUT_MS): Database {
  const database = new Database(path, { readonly: true, safeIntegers: true, strict: true })
  try {
    database.run(`PRAGMA busy_timeout = ${waitForLockMs}`)
    // SQLite first meets the log here: to read one it makes an index beside it, which a read-only folder does not permit.
    database.run('PRAGMA schema_version')
    return database
  } catch (error) {
    database.close()
    if (!isUnopenable(error) || isInUse(path)) throw error
    return new ImmutableDatabase(path)
  }
}

/** A log with content, or its index, belongs to a process that may still write. */
const isInUse = (path: string): boolean =>
  Boolean(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) ||
  statSync(`${path}-shm`, { throwIfNoEntry: false }) !== undefined

/** A file that no one can change, read without locks. */
class ImmutableDatabase extends Database {
  constructor(path: string) {
    super(
      `${pathToFileURL(path).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    )
  }

  // The runtime takes a URI by flags only, and with flags it knows no other option.
  override prepare: Database['prepare'] = ((sql: string, parameters?: never) =>
    exact(super.prepare(sql, parameters))) as Database['prepare']

  override query: Database['query'] = ((sql: string) => exact(super.query(sql))) as Database['query']
}

const exact = (statement: Statement): Statement => statement.safeIntegers(true)
