import { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import type { RestoreOptions, RestoreReport } from '../engine.ts'
import { LAST_BACKUP, verifiedCopy } from './backup.ts'
import { fileId, realPath, refuseOddPlace } from './file-check.ts'
import {
  assertOwned,
  contentsOf,
  continueAfter,
  inspect,
  isBlank,
  reading,
  setMeta,
  singleValue,
} from './open.ts'
import { isBusy, isDamage } from './sqlite-errors.ts'

/** Replaces a database with a backup, completely or not at all. */
export const restoreSqlite = (
  path: string,
  environment: Environment,
  options: RestoreOptions,
): RestoreReport =>
  explained(
    reason => `${options.file} cannot be restored: ${reason}.`,
    () => {
      const target = realPath(path)
      assertBackup(options.file, target, environment)
      refuseOddPlace(target)
      createPrivateFolder(dirname(target))
      return restoreTo(target, environment, options)
    },
  )

function assertBackup(file: string, target: string, environment: Environment): void {
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`, { exit: 'missing' })
  if (realPath(file) === target) throw new InvalidInput(`${file} is the database itself. Name a backup.`)
  inspect(file, environment)
}

function restoreTo(target: string, environment: Environment, options: RestoreOptions): RestoreReport {
  const { file, force, nextId = 1n } = options
  const replace = existsSync(target)
  const state = stateOf(target, environment)
  const isReadable = state === 'data'
  if ((isReadable || state === 'damage') && !force) {
    const found = `The database ${target} is ${isReadable ? 'not empty' : 'damaged'}`
    throw new InvalidInput(`${found}. --force replaces it with the backup and keeps it under another name.`)
  }
  // A file that appears in an empty place meanwhile belongs to a service that has just started.
  using draft = beginDraft(target, { replace })
  verifiedCopy(file, draft.path, environment)
  using database = new Database(draft.path, { readwrite: true, safeIntegers: true, strict: true })
  if (isReadable || state === 'empty') holdAlone(database, target)
  else database.run('BEGIN')
  const revokedAgain = isReadable ? keepWhatCameAfter(database) : 0
  setMeta(database, LAST_BACKUP, statSync(file).mtime.toISOString())
  if (nextId > contentsOf(database).lastId) continueAfter(database, nextId - 1n)
  const contents = contentsOf(database)
  database.run('COMMIT')
  const kept = keepPrevious(target, state)
  draft.publish()
  return { ...contents, kept, knowsWhatCameAfter: isReadable, revokedAgain }
}

type State = 'nothing' | 'empty' | 'data' | 'damage'

/** Changes nothing. Refuses what a backup must not replace, even with force. */
function stateOf(path: string, environment: Environment): State {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return 'nothing'
  try {
    return reading(path, database => {
      if (isBlank(database)) return 'empty'
      assertOwned(database, path, environment)
      const { animals, keys, lastId } = contentsOf(database)
      return animals === 0 && keys === 0 && lastId === 0n ? 'empty' : 'data'
    })
  } catch (error) {
    if (isDamage(error)) return 'damage'
    throw isBusy(error) ? inUse(path, error) : error
  }
}

/**
 * Begins a transaction that lets no other process open the previous database until the connection closes. To leave WAL mode
 * needs exclusive use: it fails while any other connection is open, even an idle one. It also leaves a single file without
 * a log, which a rename can then replace.
 */
function holdAlone(database: Database, path: string): void {
  const file = fileId(path)
  try {
    database.run('ATTACH ? AS previous', [path])
    database.run('PRAGMA previous.locking_mode = EXCLUSIVE')
    database.run('PRAGMA previous.journal_mode = DELETE')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    throw isBusy(error) ? inUse(path, error) : error
  }
  // Another restore may have put its file there since.
  if (fileId(path) !== file) throw inUse(path, undefined)
}

function inUse(path: string, cause: unknown): OperatorError {
  const message = `A service, or another program, has ${path} open. Stop it first.`
  return new OperatorError(message, { cause, exit: 'unavailable' })
}

/** What a restore must not undo: assigned identifiers and revocations. Returns the number of keys revoked again. */
function keepWhatCameAfter(database: Database): number {
  const lastId = singleValue(database, 'SELECT coalesce(max(seq), 0) FROM previous.sqlite_sequence') as bigint
  if (lastId > contentsOf(database).lastId) continueAfter(database, lastId)
  return database.run(
    `UPDATE main.api_keys SET revoked_at = old.revoked_at FROM previous.api_keys AS old
     WHERE old.id = main.api_keys.id AND old.revoked_at IS NOT NULL AND main.api_keys.revoked_at IS NULL`,
  ).changes
}

/**
 * Gives the present database a second name and returns it. It keeps its own name until the new file takes it: a service that
 * finds none would create one. A log that no connection has read goes aside too, or SQLite would apply it to the new file.
 */
function keepPrevious(path: string, state: State): string | undefined {
  const kept = `${path}.replaced-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
  if (state === 'nothing' || state === 'damage') {
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`)
    rmSync(`${path}-shm`, { force: true })
  }
  if (state === 'nothing' || state === 'empty') return undefined
  linkSync(path, kept)
  return kept
}
