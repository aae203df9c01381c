import { Database } from 'bun:sqlite'
import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import type { BackupOptions, BackupReport } from '../backup.ts'
import { discard, verifiedCopy } from './backup-copy.ts'
import { syncPath } from './backup-sync.ts'

const WAIT_FOR_LOCK_MS = 5000

export interface BackupJob extends BackupOptions {
  readonly path: string
  readonly environment: Environment
}

/** Makes a verified copy of a database, which appears under its name only when it is complete and on the disk. */
export function makeBackupFile({ path, environment, file, force }: BackupJob): BackupReport {
  const started = performance.now()
  const target = resolve(file)
  refuseImpossible(path, target, force)
  const partial = `${target}.partial`
  try {
    const contents = verifiedCopy(path, partial, environment)
    publish(partial, target, force)
    remember(path, target)
    return { ...contents, bytes: statSync(target).size, durationMs: performance.now() - started }
  } catch (error) {
    discard(partial)
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The backup to ${file} failed: ${(error as Error).message}. Nothing was left behind.`,
      { cause: error },
    )
  }
}

function refuseImpossible(path: string, target: string, force: boolean): void {
  if (!existsSync(path))
    throw new OperatorError(`There is no database at ${path}, so there is nothing to back up.`)
  if (!existsSync(dirname(target))) throw new OperatorError(`The folder ${dirname(target)} does not exist.`)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile())
    throw new OperatorError(`${target} is not a file. Name the file to write the backup to.`)
  if (isPartOf(path, target)) throw new OperatorError(`${target} is the database itself. Name another file.`)
  if (!force) throw alreadyThere(target)
}

/** By what the names stand for, whatever links lead there. */
const isPartOf = (path: string, target: string): boolean =>
  ['', '-wal', '-shm'].some(
    part => existsSync(path + part) && realpathSync(path + part) === realpathSync(target),
  )

const alreadyThere = (target: string): OperatorError =>
  new OperatorError(`${target} is there already. Name another file, or add --force to replace it.`)

/** A link, unlike a rename, fails where a file of that name has appeared in the meantime. */
function publish(partial: string, target: string, force: boolean): void {
  if (force) renameSync(partial, target)
  else {
    try {
      linkSync(partial, target)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(target) : error
    }
    rmSync(partial)
  }
  syncPath(dirname(target))
}

/** For `petstore doctor`. A backup is none the worse when it cannot be noted. */
function remember(path: string, file: string): void {
  const note = JSON.stringify({ at: new Date().toISOString(), file })
  try {
    const database = new Database(path, { readwrite: true })
    try {
      database.run(`PRAGMA busy_timeout = ${WAIT_FOR_LOCK_MS}`)
      database.run("INSERT OR REPLACE INTO meta VALUES ('last_backup', ?)", [note])
    } finally {
      database.close()
    }
  } catch {}
}
