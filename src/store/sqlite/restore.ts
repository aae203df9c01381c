import { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, messageOf, OperatorError } from '../../operator-error.ts'
import type { RestoreOptions, RestoreReport } from '../backup.ts'
import { recordBackup, verifiedCopy } from './backup.ts'
import { fileId, realPath, refuseOddPlace } from './file-check.ts'
import { assertOurs, contentsOf, inspect, isBlank, reading } from './open.ts'
import { isBusy, isUnopenable } from './sqlite-errors.ts'

/** Replaces a database with a backup, completely or not at all. */
export function restoreSqlite(
  path: string,
  environment: Environment,
  options: RestoreOptions,
): RestoreReport {
  const target = realPath(path)
  if (!existsSync(options.file))
    throw new OperatorError(`There is no file ${options.file}.`, { exit: 'missing' })
  if (realPath(options.file) === target)
    throw new InvalidInput(`${options.file} is the database itself. Name a backup of it.`)
  return explained(
    reason => `${options.file} cannot be restored: ${reason}.`,
    () => {
      inspect(options.file, environment)
      return restoreTo(target, environment, options)
    },
  )
}

function restoreTo(target: string, environment: Environment, options: RestoreOptions): RestoreReport {
  refuseOddPlace(target)
  createPrivateFolder(dirname(target))
  const isThere = existsSync(target)
  const state = stateOf(target, environment)
  if ((state === 'data' || state === 'damage') && !options.force)
    throw new InvalidInput(
      `The database ${target} ${state === 'data' ? 'is not empty' : 'is damaged'}. --force replaces it with the backup and keeps it under another name.`,
    )
  using draft = beginDraft(target)
  verifiedCopy(options.file, draft.path, environment)
  const previous = state === 'data' || state === 'empty' ? holdAlone(target) : undefined
  try {
    const revokedAgain = keepWhatCameAfter(draft.path, state === 'data' ? previous : undefined, options)
    const contents = reading(draft.path, contentsOf)
    const kept = keepPrevious(target, state)
    // A file that has appeared in an empty place belongs to a service that has just started.
    draft.publish({ replace: isThere })
    return { ...contents, kept, knowsWhatCameAfter: state === 'data', revokedAgain }
  } finally {
    previous?.close()
  }
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
    if (error instanceof OperatorError) throw error
    if (isBusy(error)) throw inUse(path, error)
    if (isUnopenable(error))
      throw new OperatorError(`The database ${path} cannot be opened: ${messageOf(error)}.`, { cause: error })
    return 'damage'
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
function keepWhatCameAfter(
  draft: string,
  previous: Database | undefined,
  { nextId, file }: RestoreOptions,
): number {
  using database = new Database(draft, { readwrite: true, safeIntegers: true, strict: true })
  return database.transaction(() => {
    recordBackup(database, file, statSync(file).mtime)
    if (nextId !== undefined) continueAfter(database, nextId - 1n)
    if (previous === undefined) return 0
    continueAfter(database, contentsOf(previous).lastId)
    return revokeAgain(database, previous)
  })()
}

function continueAfter(database: Database, lastId: bigint): void {
  if (lastId <= contentsOf(database).lastId) return
  database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
}

function revokeAgain(database: Database, previous: Database): number {
  const revoked = previous
    .query<{ id: string; revoked_at: bigint }, []>(
      'SELECT id, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL',
    )
    .all()
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const changes = revoked.map(({ id, revoked_at }) => revoke.run(revoked_at, id).changes)
  revoke.finalize()
  return changes.reduce((sum, count) => sum + count, 0)
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
