import { Database } from 'bun:sqlite'
import { existsSync, fstatSync, lstatSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { beginDraft, fileExists } from '../../../files/draft.ts'
import { explained, InvalidInput, OperatorError } from '../../../operator-error.ts'
import type { BackupOptions, BackupReport } from '../../backup.ts'
import { noFile } from '../../no-database.ts'
import { isPartOfDatabase, refuseOddParts } from '../file/names.ts'
import { verifiedCopy } from './copy.ts'

const WAIT_FOR_LOCK_MS = 5000

export interface BackupJob extends BackupOptions {
  readonly path: string
  readonly environment: Environment
}

/** Makes a verified copy of a database. It appears under its name only when it is complete and on disk. */
export function makeBackupFile({ path, environment, file, force }: BackupJob): BackupReport {
  const started = performance.now()
  const target = resolve(file)
  return explained(
    reason => `The backup to ${file} failed: ${reason}. Nothing was left behind.`,
    () => {
      refuseImpossible(path, target, force)
      using draft = beginDraft(target)
      const contents = verifiedCopy(path, draft, environment)
      draft.publish({ replace: force })
      remember(path, target)
      const bytes = fstatSync(draft.descriptor).size
      return { ...contents, bytes, durationMs: performance.now() - started }
    },
  )
}

/** Checks by name only: opening and closing the file would release the locks of a service in this process. */
function refuseImpossible(path: string, target: string, force: boolean): void {
  refuseOddParts(path)
  if (!statSync(path, { throwIfNoEntry: false })?.size) throw noFile(path)
  if (!existsSync(dirname(target)))
    throw new OperatorError(`The folder ${dirname(target)} does not exist.`, { exit: 'missing' })
  if (isPartOfDatabase(path, target))
    throw new InvalidInput(`${target} is the database itself. Name another file.`)
  const found = lstatSync(target, { throwIfNoEntry: false })
  if (found?.isFile() && !force) throw fileExists(target)
}

/** For `petstore doctor`. The backup is valid even if it cannot be recorded. */
function remember(path: string, file: string): void {
  const note = JSON.stringify({ at: new Date().toISOString(), file })
  try {
    asOwnerOf(path, () => {
      using database = new Database(path, { readwrite: true })
      database.run(`PRAGMA busy_timeout = ${WAIT_FOR_LOCK_MS}`)
      database.run("INSERT OR REPLACE INTO meta VALUES ('last_backup', ?)", [note])
    })
  } catch {}
}
