import type { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import type { BackupOptions, BackupReport, CopySummary, RestoreOptions, RestoreReport } from '../engine.ts'
import { connect, singleValue } from './connect.ts'
import * as files from './database-files.ts'
import { checkFile, hasDatabase, inUse, readUnopened } from './open.ts'
import * as schema from './schema.ts'
import { DamagedFiles, isBusy, retryWhileBusy } from './sqlite-errors.ts'
import { refuseStrayWal, userVersionOf } from './stray-wal.ts'

const WAIT_FOR_LOCK_MS = 5000
/** The `meta` entry with the time of the last backup. */
const LAST_BACKUP = 'last_backup'

/** Makes a verified copy of a database, in use or not. It appears under its name only when it is complete and on disk. */
export function backUpSqlite(location: schema.SqliteLocation, { file, force }: BackupOptions): BackupReport {
  const { path } = location
  const started = performance.now()
  const target = resolve(file)
  return explained(
    reason => `The backup to ${file} failed: ${reason}. Nothing was left behind.`,
    () => {
      checkFile(location)
      files.refuseRootElsewhere(target)
      if (files.isPartOf(path, target))
        throw new InvalidInput(`${target} is part of the database itself. Choose another file.`)
      refuseStrayWal(target)
      using draft = beginDraft(target, { replace: force })
      const contents = verifiedCopy(path, { ...location, path: draft.path })
      recordSqliteBackup(draft.path)
      const { size } = statSync(draft.path)
      draft.publish()
      return { ...contents, bytes: size, durationMs: performance.now() - started }
    },
  )
}

/** Copies one consistent state of a database that may be in use into an empty file, then reads the copy back and checks it. */
function verifiedCopy(from: string, to: schema.SqliteLocation): CopySummary {
  using original = connect(from, 'read')
  original.run('VACUUM INTO ?', [to.path])
  using copy = connect(to.path, 'write')
  // A file of its own, to which the original's write-ahead log does not belong.
  copy.run(`PRAGMA user_version = ${userVersionOf(schema.schemaVersion(copy))}`)
  const verdict = singleValue(copy, 'PRAGMA quick_check(1)')
  if (verdict !== 'ok') throw refused(`The copy is damaged: ${verdict}.`)
  schema.assertOurs(copy, to)
  return schema.contentsOf(copy)
}

export function recordSqliteBackup(path: string): void {
  using database = connect(path, 'write')
  retryWhileBusy(WAIT_FOR_LOCK_MS, () => schema.setMeta(database, LAST_BACKUP, new Date().toISOString()))
}

/** Null if there was none. */
export function lastBackupAt(database: Database): Date | null {
  const time = schema.metaValue(database, LAST_BACKUP)
  return time === undefined ? null : new Date(time)
}

/** Replaces a database with a backup, completely or not at all. */
export const restoreSqlite = (location: schema.SqliteLocation, options: RestoreOptions): RestoreReport =>
  explained(
    reason => `${options.file} cannot be restored: ${reason}.`,
    () => {
      const target = files.realPath(location.path)
      assertBackup({ ...location, path: options.file }, target)
      files.refuseOddPlace(target)
      createPrivateFolder(dirname(target))
      return restoreTo({ ...location, path: target }, options)
    },
  )

const refused = (message: string, cause?: unknown): OperatorError =>
  new OperatorError(message, { cause, exit: 'refused' })

function assertBackup(backup: schema.SqliteLocation, target: string): void {
  const file = backup.path
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`, { exit: 'missing' })
  if (files.realPath(file) === target)
    throw new InvalidInput(`${file} is the database itself. Choose a backup.`)
  try {
    // A full disk may have left an empty backup.
    if (!hasDatabase(backup, 'read')) throw refused(`${file} is empty. Choose another backup.`)
  } catch (cause) {
    if (!(cause instanceof DamagedFiles)) throw cause
    throw refused(`${cause.problem}. Nothing was changed. Choose another backup.`, cause)
  }
}

function restoreTo(
  location: schema.SqliteLocation,
  { file, force, nextId = 1n }: RestoreOptions,
): RestoreReport {
  const target = location.path
  const replace = existsSync(target)
  const found = files.fileId(target)
  const state = targetState(location)
  const isReadable = state === 'data'
  const mayLackWal = isPlainCopy(file)
  if ((isReadable || state === 'damage') && !force) {
    const reason = `The database ${target} is ${isReadable ? 'not empty' : 'damaged or incomplete'}`
    throw new InvalidInput(`${reason}. --force replaces it with the backup and keeps it under another name.`)
  }
  // If there was no database, a file that appears there now belongs to a service that has just started.
  using draft = beginDraft(target, { replace })
  verifiedCopy(file, { ...location, path: draft.path })
  using database = connect(draft.path, 'write')
  if (isReadable || state === 'empty') lockOutOthers(database, target)
  else database.run('BEGIN')
  // A service or another restore may have come and gone while the backup was read.
  if (files.fileId(target) !== found || (state === 'empty' && !isEmpty(database, 'previous')))
    throw inUse(target)
  const keysAfter = isReadable ? keepWhatCameAfter(database) : { revokedAgain: 0, droppedKeys: [] }
  if (nextId > schema.lastIdOf(database)) schema.continueAfter(database, nextId - 1n)
  const contents = schema.contentsOf(database)
  database.run('COMMIT')
  const kept = keepPrevious(target, state)
  draft.publish()
  return { ...contents, kept, knowsWhatCameAfter: isReadable, ...keysAfter, mayLackWal }
}

/** A backup has no write-ahead log; a database in use has one, which a copy of the file alone lacks. */
function isPlainCopy(file: string): boolean {
  if (files.walBytes(file) > 0) return false
  using database = connect(file, 'read')
  return singleValue(database, 'PRAGMA journal_mode') === 'wal'
}

type State = 'nothing' | 'empty' | 'data' | 'damage'

/** Changes no data. Refuses a database that a backup must not replace, even with force. */
function targetState(location: schema.SqliteLocation): State {
  const { path } = location
  try {
    const hasData = readUnopened(path, database => {
      schema.assertOwned(database, location)
      const hasData = !isEmpty(database, 'main')
      if (!hasData) schema.assertOurs(database, location)
      return hasData
    })
    if (hasData) return 'data'
    return files.sizeOf(path) > 0 ? 'empty' : 'nothing'
  } catch (error) {
    if (error instanceof DamagedFiles) return 'damage'
    throw error
  }
}

function isEmpty(database: Database, which: schema.Schema): boolean {
  if (schema.isBlank(database, which)) return true
  const { animals, keys, lastId } = schema.contentsOf(database, which)
  return animals === 0 && keys === 0 && lastId === 0n
}

/**
 * Begins a transaction that keeps other processes from opening the previous database until the connection closes. Leaving WAL mode
 * needs exclusive access: it fails while any other connection is open, even an idle one. It also leaves a single file without a
 * write-ahead log, which a rename can then replace.
 */
function lockOutOthers(database: Database, path: string): void {
  try {
    database.run('ATTACH ? AS previous', [path])
    database.run('PRAGMA previous.locking_mode = EXCLUSIVE')
    database.run('PRAGMA previous.journal_mode = DELETE')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    throw isBusy(error) ? inUse(path, error) : error
  }
}

/** Keeps what a restore must not undo: assigned identifiers and revocations. Returns what became of the keys. */
function keepWhatCameAfter(database: Database): Pick<RestoreReport, 'revokedAgain' | 'droppedKeys'> {
  const lastId = schema.lastIdOf(database, 'previous')
  if (lastId > schema.lastIdOf(database)) schema.continueAfter(database, lastId)
  const created = database.query<{ id: string; name: string }, []>(
    `SELECT id, name FROM previous.api_keys
     WHERE revoked_at IS NULL AND ifnull(expires_at > unixepoch('subsec') * 1000, true)
       AND id NOT IN (SELECT id FROM main.api_keys) ORDER BY created_at, id`,
  )
  const { changes: revokedAgain } = database.run(
    `UPDATE main.api_keys SET revoked_at = old.revoked_at FROM previous.api_keys AS old
     WHERE old.id = main.api_keys.id AND old.revoked_at IS NOT NULL AND main.api_keys.revoked_at IS NULL`,
  )
  return { revokedAgain, droppedKeys: created.all() }
}

/**
 * Gives the current database a second name and returns that name. The database keeps its first name until the new file replaces it,
 * because a service that finds no file would create one. A write-ahead log or journal that no connection has read is
 * renamed too, or SQLite would apply it to the new file.
 */
function keepPrevious(path: string, state: State): string | undefined {
  const kept = `${path}.replaced-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
  const [changes] = files.changesBeside(path)
  if (state === 'nothing' || state === 'damage') {
    for (const file of files.changesBeside(path)) renameSync(file, file.replace(path, kept))
    rmSync(files.walIndexOf(path), { force: true })
  }
  if (!existsSync(path)) return changes?.replace(path, kept)
  if (state === 'nothing' || state === 'empty') return undefined
  linkSync(path, kept)
  return kept
}
