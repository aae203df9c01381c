import { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import type { RestoreOptions, RestoreReport } from '../engine.ts'
import { recordBackup, verifiedCopy } from './backup.ts'
import { fileId, realPath, refuseOddPlace } from './file-check.ts'
import { assertOurs, contentsOf, continueAfter, inspect, isBlank, reading } from './open.ts'
import { isBusy, isDamage } from './sqlite-errors.ts'

/** Replaces a database with a backup, completely or not at all. */
export function restoreSqlite(
  path: string,
  environment: Environment,
  options: RestoreOptions,
): RestoreReport {
  const { file } = options
  const target = realPath(path)
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`, { exit: 'missing' })
  if (realPath(file) === target)
    throw new InvalidInput(`${file} is the database itself. Name a backup of it.`)
  return explained(
    reason => `${file} cannot be restored: ${reason}.`,
    () => {
      inspect(file, environment)
      return restoreTo(target, environment, options)
    },
  )
}

function restoreTo(target: string, environment: Environment, options: RestoreOptions): RestoreReport {
  refuseOddPlace(target)
  createPrivateFolder(dirname(target))
  const isThere = existsSync(target)
  const state = stateOf(target, environment)
  if ((state === 'data' || state === 'damage') && !options.force) {
    const found = state === 'data' ? 'is not empty' : 'is damaged'
    throw new InvalidInput(
      `The database ${target} ${found}. --force replaces it with the backup and keeps it under another name.`,
    )
  }
  // A file that appears in an empty place meanwhile belongs to a service that has just started.
  using draft = beginDraft(target, { replace: isThere })
  verifiedCopy(options.file, draft.path, environment)
  using previous = state === 'data' || state === 'empty' ? holdAlone(target) : undefined
  const revokedAgain = keepWhatCameAfter(draft.path, state === 'data' ? previous : undefined, options)
  const contents = reading(draft.path, contentsOf)
  const kept = keepPrevious(target, state)
  draft.publish()
  return { ...contents, kept, knowsWhatCameAfter: state === 'data', revokedAgain }
}

type State = 'nothing' | 'empty' | 'data' | 'damage'

/** Changes nothing. Refuses what a backup must not replace, even with force. */
function stateOf(path: string, environment: Environment): State {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return 'nothing'
  try {
    return reading(path, database => {
      if (isBlank(database)) return 'empty'
      assertOurs(database, path, environment)
      const { animals, keys, lastId } = contentsOf(database)
      return animals === 0 && keys === 0 && lastId === 0n ? 'empty' : 'data'
    })
  } catch (error) {
    if (isDamage(error)) return 'damage'
    throw isBusy(error) ? inUse(path, error) : error
  }
}

/**
 * A connection that lets no other process open the database. To leave WAL mode needs exclusive use: it fails while any other
 * connection is open, even an idle one. It also leaves a single file without a log, which a rename can then replace.
 */
function holdAlone(path: string): Database {
  const file = fileId(path)
  const database = new Database(path, { readwrite: true, safeIntegers: true, strict: true })
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('PRAGMA journal_mode = DELETE')
    database.run('BEGIN EXCLUSIVE')
    // Another restore may have put its file there since.
    if (fileId(path) !== file) throw inUse(path, undefined)
    return database
  } catch (error) {
    database.close()
    throw isBusy(error) ? inUse(path, error) : error
  }
}

const inUse = (path: string, cause: unknown): OperatorError =>
  new OperatorError(`A service, or another program, has ${path} open. Stop it first.`, {
    cause,
    exit: 'unavailable',
  })

/** Keeps what a restore must not undo: assigned identifiers and revocations. Returns the number of keys revoked again. */
function keepWhatCameAfter(draft: string, previous: Database | undefined, options: RestoreOptions): number {
  using database = new Database(draft, { readwrite: true, safeIntegers: true, strict: true })
  return database.transaction(() => {
    recordBackup(database, options.file, statSync(options.file).mtime)
    const known = [contentsOf(database).lastId, (options.nextId ?? 1n) - 1n]
    if (previous !== undefined) known.push(contentsOf(previous).lastId)
    continueAfter(
      database,
      known.reduce((one, other) => (one > other ? one : other)),
    )
    return previous === undefined ? 0 : revokeAgain(database, previous)
  })()
}

function revokeAgain(database: Database, previous: Database): number {
  const revoked = previous.query<{ id: string; revoked_at: bigint }, []>(
    'SELECT id, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL',
  )
  let count = 0
  for (const { id, revoked_at } of revoked.all())
    count += database.run('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [
      revoked_at,
      id,
    ]).changes
  return count
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
