import { constants, Database } from 'bun:sqlite'
import { pathToFileURL } from 'node:url'
import { OperatorError } from '../../operator-error.ts'
import { PAGE_BYTES, realPath } from './database-files.ts'

/** Older releases can lose committed pages when several connections reset the write-ahead log at the same time. */
const OLDEST_SQLITE = '3.51.3'
/** A longer write-ahead log takes longer to read after a crash; a shorter one makes commits wait more often. */
const CHECKPOINT_PAGES = 4000
export const CHECKPOINT_BYTES = CHECKPOINT_PAGES * PAGE_BYTES
export const WAIT_FOR_LOCKS = 'PRAGMA busy_timeout = 2000'

/** Opens an existing file. Commands wait for locks. A durable connection loses no commit, and its owner decides how to wait. */
export function connect(path: string, use: 'read' | 'write' | 'durable'): Database {
  const readonly = use === 'read'
  // Integers are returned as bigints, because a number cannot hold every int64.
  const database = new Database(path, { readonly, readwrite: !readonly, safeIntegers: true, strict: true })
  try {
    if (use === 'durable') makeDurable(database, path)
    else database.run(WAIT_FOR_LOCKS)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Reads the file alone, without its write-ahead log. */
export function connectUnchanging(path: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  return new Database(`${pathToFileURL(realPath(path)).href}?immutable=1`, flags)
}

function makeDurable(database: Database, path: string): void {
  const version = String(singleValue(database, 'SELECT sqlite_version()'))
  if (Bun.semver.order(version, OLDEST_SQLITE) < 0)
    throw new OperatorError(`SQLite ${version} is too old to be safe; ${OLDEST_SQLITE} or newer is needed.`)
  for (const [pragma, wanted] of Object.entries({ journal_mode: 'wal', synchronous: 2n })) {
    database.run(`PRAGMA ${pragma} = ${wanted}`)
    const found = singleValue(database, `PRAGMA ${pragma}`)
    const reason = `SQLite's ${pragma} is ${found}, not ${wanted}`
    if (found !== wanted)
      throw new OperatorError(`The database ${path} cannot be made durable: ${reason}. Use a local disk.`)
  }
  // Without it macOS leaves data in the disk's cache. It has no effect elsewhere.
  database.run('PRAGMA fullfsync = ON')
  database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
}

export const singleValue = (database: Database, sql: string): unknown =>
  database.query(sql).safeIntegers(true).values()[0]?.[0]

/** Copies the write-ahead log into the database, syncs it and empties the log. Returns false if another connection prevents this. */
export const emptyWal = (database: Database): boolean =>
  singleValue(database, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0n
