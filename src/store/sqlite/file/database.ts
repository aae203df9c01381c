import { Database } from 'bun:sqlite'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { OperatorError } from '../../../operator-error.ts'

/** Older releases can lose committed pages when several connections reset the log at once. */
const OLDEST_VERSION = '3.51.3'
export const BUSY_TIMEOUT_MS = 2000
const SYNCHRONOUS_FULL = 2n
/** A log that grew beyond this is truncated to it once it is empty. Below it, the space is reused. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024

/** A connection on which every commit is durable; throws if that is impossible. */
export const openDatabase = (path: string): Database => asOwnerOf(path, () => open(path))

function open(path: string): Database {
  // Integers are returned as bigint: a number cannot hold every int64.
  const database = new Database(path, { readwrite: true, safeIntegers: true, strict: true })
  try {
    waitForLocks(database, BUSY_TIMEOUT_MS)
    database.run('PRAGMA journal_mode = WAL')
    database.run('PRAGMA synchronous = FULL')
    database.run(`PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`)
    // Without it macOS leaves data in the disk's cache. It has no effect elsewhere.
    database.run('PRAGMA fullfsync = ON')
    assertDurable(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** How long SQLite waits for a lock before it reports that the database is busy. */
const waitForLocks = (database: Database, ms: number): void =>
  void database.run(`PRAGMA busy_timeout = ${ms}`)

/** Runs work that fails at once when the database is locked. */
export function withoutWaiting<T>(database: Database, work: () => T): T {
  waitForLocks(database, 0)
  try {
    return work()
  } finally {
    waitForLocks(database, BUSY_TIMEOUT_MS)
  }
}

function assertDurable(database: Database, path: string): void {
  const version = String(singleValue(database, 'SELECT sqlite_version()'))
  if (Bun.semver.order(version, OLDEST_VERSION) < 0)
    throw new OperatorError(`SQLite ${version} is too old to be safe; ${OLDEST_VERSION} or newer is needed.`)
  const settings: [string, unknown][] = [
    ['journal_mode', 'wal'],
    ['synchronous', SYNCHRONOUS_FULL],
    ['busy_timeout', BigInt(BUSY_TIMEOUT_MS)],
    ['journal_size_limit', BigInt(LOG_LIMIT_BYTES)],
  ]
  for (const [name, wanted] of settings) {
    const found = singleValue(database, `PRAGMA ${name}`)
    if (found !== wanted)
      throw new OperatorError(
        `The database ${path} cannot be made durable: SQLite's ${name} is ${found}, not ${wanted}.`,
      )
  }
}

export const hasTable = (database: Database, table: string): boolean =>
  singleValue(database, `SELECT count(*) FROM sqlite_schema WHERE name = '${table}'`) !== 0n

export function singleValue(database: Database, sql: string): unknown {
  const statement = database.prepare(sql)
  try {
    return statement.values()[0]?.[0]
  } finally {
    statement.finalize()
  }
}
