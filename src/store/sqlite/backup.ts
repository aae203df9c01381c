import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { beginDraft } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import type { BackupOptions, BackupReport, CopySummary } from '../engine.ts'
import { isPartOfDatabase, refuseRootElsewhere } from './file-check.ts'
import {
  assertOurs,
  assertThere,
  contentsOf,
  isBlank,
  metaValue,
  reading,
  setMeta,
  singleValue,
} from './open.ts'

const WAIT_FOR_LOCK_MS = 5000
/** The name in `meta` of the time of the last backup. */
export const LAST_BACKUP = 'last_backup'

/** Makes a verified copy of a database, in use or not. It appears under its name only when it is complete and on disk. */
export function backUpSqlite(path: string, environment: Environment, options: BackupOptions): BackupReport {
  const { file, force } = options
  const started = performance.now()
  const target = resolve(file)
  return explained(
    reason => `The backup to ${file} failed: ${reason}. Nothing was left behind.`,
    () => {
      assertThere(path, environment)
      refuseRootElsewhere(target)
      if (isPartOfDatabase(path, target))
        throw new InvalidInput(`${target} is the database itself. Name another file.`)
      using draft = beginDraft(target, { replace: force })
      const contents = verifiedCopy(path, draft.path, environment)
      const { size } = statSync(draft.path)
      draft.publish()
      return { ...contents, bytes: size, durationMs: performance.now() - started }
    },
  )
}

/** Copies one consistent state of a database that may be in use into an empty file, then reads the copy back and checks it. */
export function verifiedCopy(from: string, to: string, environment: Environment): CopySummary {
  const before = reading(from, database => {
    // A full disk may have left an empty backup.
    if (isBlank(database)) throw new OperatorError(`${from} is empty: there is no database in it.`)
    const contents = contentsOf(database)
    database.run('VACUUM INTO ?', [to])
    return contents
  })
  return reading(to, database => {
    const verdict = singleValue(database, 'PRAGMA quick_check(1)')
    if (verdict !== 'ok') throw new OperatorError(`The copy is damaged: ${verdict}.`)
    assertOurs(database, to, environment)
    const copied = contentsOf(database)
    // Animals are only added, so a copy begun later cannot have fewer.
    if (copied.animals >= before.animals) return copied
    throw new OperatorError(`The copy has ${copied.animals} of ${before.animals} animals.`)
  })
}

/** The backup is valid even if this fails: the database may be read-only for this user, or its disk full. */
export function recordSqliteBackup(path: string): void {
  try {
    using database = new Database(path, { readwrite: true })
    database.run(`PRAGMA busy_timeout = ${WAIT_FOR_LOCK_MS}`)
    setMeta(database, LAST_BACKUP, new Date().toISOString())
  } catch {}
}

export function lastBackupAt(database: Database): Date | undefined {
  const time = metaValue(database, LAST_BACKUP)
  return time === undefined ? undefined : new Date(time)
}
