import { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import type { BackupOptions, BackupReport, CopySummary, RestoreOptions, RestoreReport } from '../engine.ts'
import * as files from './file-check.ts'
import { fileId, realPath, refuseOddPlace } from './file-check.ts'
import { DamagedFiles, refuseLostLog, userVersionOf } from './lost-log.ts'
import type { SqliteLocation } from './open.ts'
import * as sqlite from './open.ts'
import { isBusy, isDamage, retryWhileBusy } from './sqlite-errors.ts'

const WAIT_FOR_LOCK_MS = 5000
/** The `meta` entry with the time of the last backup. */
const LAST_BACKUP = 'last_backup'

/** Makes a verified copy of a database, in use or not. It appears under its name only when it is complete and on disk. */
export function backUpSqlite(location: SqliteLocation, { file, force }: BackupOptions): BackupReport {
  const { path } = location.database
  const started = performance.now()
  const target = resolve(file)
  return explained(
    reason => `The backup to ${file} failed: ${reason}. Nothing was left behind.`,
    () => {
      sqlite.checkFile(location)
      files.refuseRootElsewhere(target)
      if (files.isPartOf(path, target))
        throw new InvalidInput(`${target} is part of the database itself. Choose another file.`)
      refuseLostLog(target)
      using draft = beginDraft(target, { replace: force })
      const contents = verifiedCopy(path, sqlite.atPath(location, draft.path))
      const { size } = statSync(draft.path)
      draft.publish()
      return { ...contents, bytes: size, durationMs: performance.now() - started }
    },
  )
}

/** Copies one consistent state of a database that may be in use into an empty file, then reads the copy back and checks it. */
function verifiedCopy(from: string, to: SqliteLocation): CopySummary {
  using original = sqlite.connectBriefly(from)
  original.run('VACUUM INTO ?', [to.database.path])
  using copy = sqlite.connectBriefly(to.database.path, { writable: true })
  // A file of its own, to which the original's write-ahead log does not belong.
  copy.run(`PRAGMA user_version = ${userVersionOf(sqlite.schemaVersion(copy))}`)
  const verdict = sqlite.singleValue(copy, 'PRAGMA quick_check(1)')
  if (verdict !== 'ok') throw new OperatorError(`The copy is damaged: ${verdict}.`)
  sqlite.assertOurs(copy, to)
  return sqlite.contentsOf(copy)
}

/** The backup is valid even if this fails: the database may be read-only for this user, or its disk full. */
export function recordSqliteBackup(path: string): void {
  try {
    using database = sqlite.connectBriefly(path, { writable: true })
    retryWhileBusy(WAIT_FOR_LOCK_MS, () => sqlite.setMeta(database, LAST_BACKUP, new Date().toISOString()))
  } catch {}
}

/** Null if there was none. */
export function lastBackupAt(database: Database): Date | null {
  const time = sqlite.metaValue(database, LAST_BACKUP)
  return time === undefined ? null : new Date(time)
}

/** Replaces a database with a backup, completely or not at all. */
export const restoreSqlite = (location: SqliteLocation, options: RestoreOptions): RestoreReport =>
  explained(
    reason => `${options.file} cannot be restored: ${reason}.`,
    () => {
      const target = realPath(location.database.path)
      assertBackup(sqlite.atPath(location, options.file), target)
      refuseOddPlace(target)
      createPrivateFolder(dirname(target))
      return restoreTo(sqlite.atPath(location, target), options)
    },
  )

function assertBackup(backup: SqliteLocation, target: string): void {
  const file = backup.database.path
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`, { exit: 'missing' })
  if (realPath(file) === target) throw new InvalidInput(`${file} is the database itself. Choose a backup.`)
  // A full disk may have left an empty backup.
  if (sqlite.inspect(backup) === 'nothing')
    throw new OperatorError(`${file} is empty: there is no database in it.`)
}

function restoreTo(location: SqliteLocation, { file, force, nextId = 1n }: RestoreOptions): RestoreReport {
  const target = location.database.path
  const replace = existsSync(target)
  const found = fileId(target)
  const state = targetState(location)
  const isReadable = state === 'data'
  const mayLackLog = isPlainCopy(file)
  if ((isReadable || state === 'damage') && !force) {
    const reason = `The database ${target} is ${isReadable ? 'not empty' : 'damaged or incomplete'}`
    throw new InvalidInput(`${reason}. --force replaces it with the backup and keeps it under another name.`)
  }
  // If there was no database, a file that appears there now belongs to a service that has just started.
  using draft = beginDraft(target, { replace })
  verifiedCopy(file, sqlite.atPath(location, draft.path))
  using database = new Database(draft.path, { readwrite: true, safeIntegers: true, strict: true })
  if (isReadable || state === 'empty') holdAlone(database, target)
  else database.run('BEGIN')
  // A service or another restore may have come and gone while the backup was read.
  if (fileId(target) !== found || (state === 'empty' && !isEmpty(database, 'previous')))
    throw sqlite.inUse(target, undefined)
  const revokedAgain = isReadable ? keepWhatCameAfter(database) : 0
  sqlite.setMeta(database, LAST_BACKUP, statSync(file).mtime.toISOString())
  if (nextId > sqlite.contentsOf(database).lastId) sqlite.continueAfter(database, nextId - 1n)
  const contents = sqlite.contentsOf(database)
  database.run('COMMIT')
  const kept = keepPrevious(target, state)
  draft.publish()
  return { ...contents, kept, knowsWhatCameAfter: isReadable, revokedAgain, mayLackLog }
}

/** A backup has no write-ahead log; a database in use has one, which a copy of the file alone lacks. */
function isPlainCopy(file: string): boolean {
  if (files.logBytes(file) > 0) return false
  using database = sqlite.connectBriefly(file)
  return sqlite.singleValue(database, 'PRAGMA journal_mode') === 'wal'
}

type State = 'nothing' | 'empty' | 'data' | 'damage'

/** Changes no data. Refuses a database that a backup must not replace, even with force. */
function targetState(location: SqliteLocation): State {
  const { path } = location.database
  try {
    refuseLostLog(path)
    if (!statSync(path, { throwIfNoEntry: false })?.size) return 'nothing'
    // A read-only connection fails at a journal that must be rolled back.
    using database = sqlite.connectBriefly(path, { writable: files.logBytes(path) === 0 })
    if (sqlite.isBlank(database)) return 'empty'
    sqlite.assertOwned(database, location)
    return isEmpty(database, 'main') ? 'empty' : 'data'
  } catch (error) {
    if (isDamage(error) || error instanceof DamagedFiles) return 'damage'
    throw isBusy(error) ? sqlite.inUse(path, error) : error
  }
}

function isEmpty(database: Database, schema: sqlite.Schema): boolean {
  if (sqlite.isBlank(database, schema)) return true
  const { animals, keys, lastId } = sqlite.contentsOf(database, schema)
  return animals === 0 && keys === 0 && lastId === 0n
}

/**
 * Begins a transaction that keeps other processes from opening the previous database until the connection closes. Leaving WAL mode
 * needs exclusive access: it fails while any other connection is open, even an idle one. It also leaves a single file without a
 * write-ahead log, which a rename can then replace.
 */
function holdAlone(database: Database, path: string): void {
  try {
    database.run('ATTACH ? AS previous', [path])
    database.run('PRAGMA previous.locking_mode = EXCLUSIVE')
    database.run('PRAGMA previous.journal_mode = DELETE')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    throw isBusy(error) ? sqlite.inUse(path, error) : error
  }
}

/** Keeps what a restore must not undo: assigned identifiers and revocations. Returns the number of keys revoked again. */
function keepWhatCameAfter(database: Database): number {
  const highest = 'SELECT coalesce(max(seq), 0) FROM previous.sqlite_sequence'
  const lastId = sqlite.singleValue(database, highest) as bigint
  if (lastId > sqlite.contentsOf(database).lastId) sqlite.continueAfter(database, lastId)
  return database.run(
    `UPDATE main.api_keys SET revoked_at = old.revoked_at FROM previous.api_keys AS old
     WHERE old.id = main.api_keys.id AND old.revoked_at IS NOT NULL AND main.api_keys.revoked_at IS NULL`,
  ).changes
}

/**
 * Gives the current database a second name and returns that name. The database keeps its first name until the new file replaces it,
 * because a service that finds no file would create one. A log or journal that no connection has read is renamed too, or SQLite
 * would apply it to the new file.
 */
function keepPrevious(path: string, state: State): string | undefined {
  const kept = `${path}.replaced-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
  const [changes] = files.changesBeside(path)
  if (state === 'nothing' || state === 'damage') {
    for (const file of files.changesBeside(path)) renameSync(file, file.replace(path, kept))
    rmSync(`${path}-shm`, { force: true })
  }
  if (!existsSync(path)) return changes?.replace(path, kept)
  if (state === 'nothing' || state === 'empty') return undefined
  linkSync(path, kept)
  return kept
}
