import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { createPrivateFile, createPrivateFolder, syncPath } from '../../files.ts'
import { explained, messageOf, OperatorError } from '../../operator-error.ts'
import { MOVED_AT, MOVED_TO } from '../copy.ts'
import type { SqliteDatabase } from '../database.ts'
import type { CopySummary, StoreLocation } from '../engine.ts'
import { DatabaseMoved, NoDatabase } from '../errors.ts'
import {
  fileId,
  logBytes,
  logOf,
  PAGE_BYTES,
  realPath,
  refuseOddPlace,
  refuseReadOnly,
} from './file-check.ts'
import { DamagedFiles, refuseLostLog, userVersionOf, versionIn } from './lost-log.ts'
import schema from './schema.sql' with { type: 'text' }
import { isBusy, isDamage, isDiskFull, isIoFailure, retryWhileBusy } from './sqlite-errors.ts'

/** One step for each version of the schema. Never change a released step. */
const MIGRATIONS = [schema]
/** "PETS": distinguishes our files from other SQLite databases. */
const APPLICATION_ID = 0x50455453
/** Writes the page with the file's number, even if nothing changes. */
export const WRITE_FIRST_PAGE = `PRAGMA application_id = ${APPLICATION_ID}`

/** Older releases can lose committed pages when several connections reset the write-ahead log at the same time. */
const OLDEST_SQLITE = '3.51.3'
/** A longer write-ahead log takes longer to read after a crash; a shorter one makes commits wait more often. */
const CHECKPOINT_PAGES = 4000
export const CHECKPOINT_BYTES = CHECKPOINT_PAGES * PAGE_BYTES
const BUSY_TIMEOUT_MS = 2000
/** Enough for several processes that create the file at the same time, and for a restore. */
const WAIT_FOR_OTHERS_MS = 15_000

export type SqliteLocation = StoreLocation<SqliteDatabase>

/** Another file of the same environment, such as a backup. */
export const atPath = ({ database, environment }: SqliteLocation, path: string): SqliteLocation => ({
  database: { ...database, path },
  environment,
})

/** Opens the file with this release's schema, or throws an error that says why it cannot. */
export const openFile = (location: SqliteLocation, create: boolean): Database =>
  opening(location, () =>
    retryWhileBusy(WAIT_FOR_OTHERS_MS, () => {
      if (!create) checkFile(location)
      else if (inspect(location) === 'nothing') {
        const file = realPath(location.database.path)
        createPrivateFolder(dirname(file))
        createPrivateFile(file)
      }
      return openOnce(location)
    }),
  )

/** Fails if there is no file, or if a service could not open it. Changes nothing. */
export const checkFile = (location: SqliteLocation): void =>
  opening(location, () => {
    if (inspect(location) === 'nothing') throw noFile(location.database.path)
  })

const opening = <T>({ database: { path } }: SqliteLocation, work: () => T): T =>
  explained((reason, cause) => {
    // On a full disk, SQLite cannot create the file that its connections share, and reports only that.
    const why = isIoFailure(cause) ? `${reason}; the disk may be full` : reason
    return `The database ${path} cannot be opened: ${why}.`
  }, work)

function openOnce(location: SqliteLocation): Database {
  const { path } = location.database
  const file = fileId(path)
  const database = openConnection(path)
  try {
    migrate(database, location.environment)
    settleRecovered(database, path)
    // Another process may have claimed the same new file for the other environment.
    assertOurs(database, location)
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    if (fileId(path) === file) return database
  } catch (error) {
    database.close()
    throw error
  }
  // A restore replaced the file before the connection was open. An open connection would have prevented that.
  database.close()
  return openOnce(location)
}

/** A connection on which every commit is durable, and which does not wait for locks; throws if that is impossible. */
export function openConnection(path: string): Database {
  // Integers are returned as bigints, because a number cannot hold every int64.
  const database = new Database(path, { readwrite: true, safeIntegers: true, strict: true })
  try {
    const version = String(singleValue(database, 'SELECT sqlite_version()'))
    if (Bun.semver.order(version, OLDEST_SQLITE) < 0)
      throw new OperatorError(`SQLite ${version} is too old to be safe; ${OLDEST_SQLITE} or newer is needed.`)
    for (const [pragma, wanted] of Object.entries({ journal_mode: 'wal', synchronous: 2n })) {
      database.run(`PRAGMA ${pragma} = ${wanted}`)
      const found = singleValue(database, `PRAGMA ${pragma}`)
      const reason = `SQLite's ${pragma} is ${found}, not ${wanted}`
      if (found !== wanted) throw new OperatorError(`The database ${path} cannot be made durable: ${reason}.`)
    }
    // Without it macOS leaves data in the disk's cache. It has no effect elsewhere.
    database.run('PRAGMA fullfsync = ON')
    database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** A connection for one command, which waits for locks. Without `writable` it cannot change the database. */
export function connectBriefly(path: string, { writable = false } = {}): Database {
  const mode = { readonly: !writable, readwrite: writable }
  const database = new Database(path, { ...mode, safeIntegers: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return database
}

/** Inspects a file before it is opened for writing, so that a file that must not be used stays unchanged. */
export function inspect(location: SqliteLocation): 'ours' | 'nothing' {
  const { path } = location.database
  refuseOddPlace(path)
  refuseReadOnly(path)
  try {
    refuseLostLog(path)
    if (!statSync(path, { throwIfNoEntry: false })?.size) return 'nothing'
    // A read-only connection leaves an empty write-ahead log if there was none, and a writable one removes an existing log.
    using database = connectBriefly(path, { writable: logBytes(path) === 0 })
    if (isBlank(database)) return 'nothing'
    assertOurs(database, location)
    // SQLite reads the missing part of the last page as zeros. The write-ahead log may still contain it.
    if (statSync(path).size % PAGE_BYTES > 0 && logBytes(path) === 0)
      throw new DamagedFiles(`The database ${path} is truncated`)
    return 'ours'
  } catch (cause) {
    if (isBusy(cause)) throw inUse(path, cause)
    if (!isDamage(cause)) throw cause
    throw new DamagedFiles(`${path} is not an SQLite database, or it is damaged (${messageOf(cause)})`, cause)
  }
}

export function inUse(path: string, cause: unknown): OperatorError {
  const message = `A service, or another program, has ${path} open. Stop it first.`
  return new OperatorError(message, { cause, exit: 'unavailable' })
}

export const noFile = (path: string): NoDatabase =>
  new NoDatabase(`There is no database at ${resolve(path)}.`)

/** The database of a connection, or the one that a restore replaces. */
export type Schema = 'main' | 'previous'

/** Whether nothing was ever stored in the database. */
export const isBlank = (database: Database, schema: Schema = 'main'): boolean =>
  singleValue(database, `SELECT count(*) FROM ${schema}.sqlite_schema`) === 0n

/** Refuses a database that this release or environment must not use. */
export function assertOurs(database: Database, location: SqliteLocation): void {
  const { path } = location.database
  assertOwned(database, location)
  const version = schemaVersion(database)
  if (version > MIGRATIONS.length)
    throw notChanged(
      `The database ${path} was written by a newer release (schema ${version}; this release knows ${MIGRATIONS.length})`,
    )
  const place = metaValue(database, MOVED_TO)
  if (place !== undefined)
    throw new DatabaseMoved(`sqlite:${resolve(path)}`, place, metaValue(database, MOVED_AT) !== undefined)
}

/** Refuses the database of another program or environment. */
export function assertOwned(database: Database, { database: { path }, environment }: SqliteLocation): void {
  if (singleValue(database, 'PRAGMA application_id') !== BigInt(APPLICATION_ID))
    throw notChanged(`${path} is a database of another program`)
  const owner = metaValue(database, 'environment')
  if (owner !== environment)
    throw notChanged(`The database ${path} belongs to ${owner}; this is ${environment}`)
}

const notChanged = (reason: string): OperatorError =>
  new OperatorError(`${reason}. It was not changed.`, { exit: 'refused' })

const userVersion = (database: Database): number => Number(singleValue(database, 'PRAGMA user_version'))

export const schemaVersion = (database: Database): number => versionIn(userVersion(database))

/** Upgrades the schema to this release in one transaction. Safe if several processes start at the same time. */
function migrate(database: Database, environment: Environment): void {
  if (schemaVersion(database) >= MIGRATIONS.length) return
  const upgrade = database.transaction(() => {
    for (const step of MIGRATIONS.slice(schemaVersion(database))) database.run(step)
    database.run(`PRAGMA user_version = ${userVersionOf(MIGRATIONS.length, userVersion(database))}`)
    database.run(WRITE_FIRST_PAGE)
    const remember = 'INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)'
    database.run(remember, ['environment', environment])
    database.run(remember, ['cursor_secret', randomBytes(32).toString('hex')])
  })
  upgrade.immediate()
}

/**
 * Copies the write-ahead log into the database, syncs it and empties the log. Returns false if another connection prevents this.
 */
export const emptyLog = (database: Database): boolean =>
  singleValue(database, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0n

/**
 * Makes transactions durable that a crash left in the write-ahead log. SQLite recovers everything that it can read there, possibly
 * a transaction that was never synced: a client could see it, and the next power cut could still lose it.
 */
function settleRecovered(database: Database, path: string): void {
  if (logBytes(path) === 0) return
  try {
    if (emptyLog(database)) return
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  // Another process uses the write-ahead log, or there is no space to copy it, so sync it in place.
  syncPath(logOf(path))
}

export const singleValue = (database: Database, sql: string): unknown => database.query(sql).values()[0]?.[0]

export const metaValue = (database: Database, name: string): string | undefined =>
  database.query<{ value: string }, [string]>('SELECT value FROM meta WHERE name = ?').get(name)?.value

export const setMeta = (database: Database, name: string, value: string): void =>
  void database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, value])

/** The next animal gets a higher identifier than this one. */
export function continueAfter(database: Database, lastId: bigint): void {
  database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
}

export const contentsOf = (database: Database, schema: Schema = 'main'): CopySummary => ({
  animals: Number(singleValue(database, `SELECT count(*) FROM ${schema}.pets`)),
  keys: Number(singleValue(database, `SELECT count(*) FROM ${schema}.api_keys`)),
  lastId: singleValue(database, `SELECT coalesce(max(seq), 0) FROM ${schema}.sqlite_sequence`) as bigint,
})
