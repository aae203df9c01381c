import { type Database, SQLiteError } from 'bun:sqlite'
import { dirname, resolve } from 'node:path'
import { createPrivateFile, createPrivateFolder, syncPath } from '../../files.ts'
import { explained, messageOf, OperatorError } from '../../operator-error.ts'
import { NoDatabase } from '../errors.ts'
import { connect, emptyWal, WAIT_FOR_LOCKS } from './connect.ts'
import * as files from './database-files.ts'
import { assertOurs, isBlank, migrate, type SqliteLocation } from './schema.ts'
import { DamagedFiles, isBusy, isDamage, isDiskFull, retryWhileBusy } from './sqlite-errors.ts'
import { refuseStrayWal } from './stray-wal.ts'

/** Enough for several processes that create the file at the same time, and for a restore. */
const WAIT_FOR_OTHERS_MS = 15_000

/** Opens the file with this release's schema, or throws an error that says why it cannot. */
export const openFile = (location: SqliteLocation, create: boolean): Database =>
  opening(location, () =>
    retryWhileBusy(WAIT_FOR_OTHERS_MS, () => {
      if (!hasDatabase(location)) {
        if (!create) throw noFile(location)
        const file = files.realPath(location.path)
        createPrivateFolder(dirname(file))
        createPrivateFile(file)
      }
      return openOnce(location)
    }),
  )

/** Fails if there is no file, or if a service could not open it. Changes nothing. */
export const checkFile = (location: SqliteLocation): void =>
  opening(location, () => {
    if (!hasDatabase(location)) throw noFile(location)
  })

export const opening = <T>({ path }: SqliteLocation, work: () => T): T =>
  explained(
    reason => `The database ${path} cannot be opened: ${reason}.`,
    () => {
      try {
        return work()
      } catch (cause) {
        // SQLite reports only that it could not create a file or write to it; a trial on its disk says why.
        throw (cause instanceof SQLiteError && files.roomProblem(path)) || cause
      }
    },
  )

function openOnce(location: SqliteLocation): Database {
  const { path } = location
  const file = files.fileId(path)
  const database = connect(path, 'durable')
  try {
    migrate(database, location)
    settleRecovered(database, path)
    // Another process may have claimed the same new file for the other environment.
    assertOurs(database, location)
    database.run(WAIT_FOR_LOCKS)
    if (files.fileId(path) === file) return database
  } catch (error) {
    database.close()
    throw error
  }
  // A restore replaced the file before the connection was open. An open connection would have prevented that.
  database.close()
  return openOnce(location)
}

/**
 * Makes transactions durable that a crash left in the write-ahead log. SQLite recovers everything that it can read there, possibly
 * a transaction that was never synced: a client could see it, and the next power cut could still lose it.
 */
function settleRecovered(database: Database, path: string): void {
  if (files.walBytes(path) === 0) return
  try {
    if (emptyWal(database)) return
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  // Another process uses the write-ahead log, or there is no space to copy it, so sync it in place.
  syncPath(files.walOf(path))
}

/** Whether there is a database. Refuses one that must not be used. */
export function hasDatabase(location: SqliteLocation, use: 'read' | 'write' = 'write'): boolean {
  const { path } = location
  files.refuseOddPlace(path)
  if (use === 'write') files.refuseReadOnly(path)
  const isUsable = readUnopened(path, database => {
    assertOurs(database, location)
    // SQLite reads the missing part of the last page as zeros. The write-ahead log may still contain it.
    if (files.sizeOf(path) % files.PAGE_BYTES > 0 && files.walBytes(path) === 0)
      throw new DamagedFiles(`The database ${path} is truncated`)
    return true
  })
  return isUsable ?? false
}

/** Reads a file that may have to stay unchanged. Undefined if nothing was ever stored in it. */
export function readUnopened<T>(path: string, read: (database: Database) => T): T | undefined {
  try {
    refuseStrayWal(path)
    if (files.sizeOf(path) === 0) return undefined
    // A read-only connection leaves an empty write-ahead log if there was none, and a writable one removes an existing log.
    using database = connect(path, files.walBytes(path) === 0 ? 'write' : 'read')
    return isBlank(database) ? undefined : read(database)
  } catch (cause) {
    if (isBusy(cause)) throw inUse(path, cause)
    if (!isDamage(cause)) throw cause
    throw new DamagedFiles(`${path} is not an SQLite database, or it is damaged (${messageOf(cause)})`, cause)
  }
}

export function inUse(path: string, cause?: unknown): OperatorError {
  const message = `A service, or another program, has ${path} open. Stop it first.`
  return new OperatorError(message, { cause, exit: 'unavailable' })
}

export const noFile = ({ path }: SqliteLocation): NoDatabase =>
  new NoDatabase(`There is no database at ${resolve(path)}.`)
