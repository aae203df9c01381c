import { Database } from 'bun:sqlite'
import { linkSync, renameSync, rmSync, statSync } from 'node:fs'
import type { Environment } from '../../../contract/servers.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import { isBusy, isUnopenable } from '../file/failures.ts'
import { assertOwner, isBlank } from '../file/inspect.ts'
import { contentsOf, reading } from './contents.ts'

/** What is at the place that a backup is restored to. */
export type TargetState = 'nothing' | 'data' | 'damage'

/** Changes nothing. Refuses what a backup must not replace, even with force. */
export function stateOfTarget(path: string, environment: Environment): TargetState {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && found.size === 0)) return 'nothing'
  if (!found.isFile()) throw new OperatorError(`${path} is not a file.`)
  try {
    return reading(path, database => {
      if (!isBlank(database)) assertOwner(database, path, environment)
      const { animals, keys, lastId } = contentsOf(database)
      return animals === 0 && keys === 0 && lastId === 0n ? 'nothing' : 'data'
    })
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (isBusy(error)) throw inUse(path, error)
    if (isUnopenable(error))
      throw new OperatorError(`The database ${path} cannot be opened: ${messageOf(error)}.`, { cause: error })
    return 'damage'
  }
}

/** A database that no other process can open until it is released. */
interface HeldTarget {
  /** Undefined if there is none that can be read. */
  readonly database: Database | undefined
  /** Keeps the present database under another name. */
  keep(as: string): void
  release(): void
}

/**
 * Leaving WAL mode needs exclusive use of the file: it fails while any other connection is open, even an idle one. It
 * also leaves a single file without a log, which a rename can then replace.
 */
export function holdTarget(path: string, state: TargetState): HeldTarget {
  if (state === 'damage' || !statSync(path, { throwIfNoEntry: false })?.size)
    return { database: undefined, keep: as => moveAside(path, as), release() {} }
  const database = new Database(path, { readwrite: true, safeIntegers: true, strict: true })
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('PRAGMA journal_mode = DELETE')
    database.run('BEGIN EXCLUSIVE')
    return { database, keep: as => linkSync(path, as), release: () => database.close() }
  } catch (error) {
    database.close()
    throw isBusy(error) ? inUse(path, error) : error
  }
}

/**
 * Moves the log too, even if there is nothing else: SQLite would apply it to the next database. The file also keeps its
 * name until the new one takes it, since a service that finds none would create a new one.
 */
function moveAside(path: string, as: string): void {
  const isThere = (part: string): boolean => !!statSync(path + part, { throwIfNoEntry: false })?.size
  if (isThere('-wal')) renameSync(`${path}-wal`, `${as}-wal`)
  if (isThere('')) linkSync(path, as)
  for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true })
}

const inUse = (path: string, cause: unknown): OperatorError =>
  new OperatorError(`A service, or another program, has ${path} open. Stop it first.`, {
    cause,
    exit: 'unavailable',
  })
