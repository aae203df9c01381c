import type { Database } from 'bun:sqlite'
import { statfsSync, statSync } from 'node:fs'
import { advice, type Finding, fail, ok } from '../../findings.ts'
import { messageOf } from '../../operator-error.ts'
import { commandName } from '../../this-program.ts'
import type { Diagnosis, DiagnosisOptions } from '../engine.ts'
import { DatabaseMoved, NoDatabase } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { lastBackupAt } from './backup.ts'
import { connect, singleValue } from './connect.ts'
import { freeBytes } from './file-check.ts'
import { checkFile } from './open.ts'
import { contentsOf, type SqliteLocation } from './schema.ts'

/** Checks a database file as a start does, and more thoroughly. */
export function diagnoseSqlite(location: SqliteLocation, options: DiagnosisOptions = {}): Diagnosis {
  const { path } = location.database
  try {
    checkFile(location)
    using database = connect(path, 'read')
    return foundIn(database, path, options)
  } catch (error) {
    if (error instanceof NoDatabase) return { lastBackup: null, findings: [], missing: error }
    if (error instanceof DatabaseMoved) return { lastBackup: null, findings: [], moved: error }
    return { lastBackup: null, findings: [fail('database', messageOf(error))] }
  }
}

const foundIn = (database: Database, path: string, { configuredHash }: DiagnosisOptions): Diagnosis => ({
  findings: [
    integrityOf(database, path),
    ok('animals', `${contentsOf(database).animals}, in ${path}`),
    privacyOf(path),
    diskOf(path),
  ],
  keys: database.query<KeyRow, []>(SELECT_KEYS).all().map(keyOf),
  configuredKey: database
    .query<KeyRow, [string]>(`${SELECT_KEYS} WHERE hash = ?`)
    .all(configuredHash ?? '')
    .map(keyOf)[0],
  lastBackup: lastBackupAt(database),
})

function integrityOf(database: Database, path: string): Finding {
  const verdict = singleValue(database, 'PRAGMA quick_check(1)')
  if (verdict === 'ok')
    return ok('database', `SQLite ${singleValue(database, 'SELECT sqlite_version()')}, file intact`)
  const how = `Stop the service and restore a backup: ${commandName()} restore FILE`
  return fail('database', `${path} is damaged (${verdict}). ${how}`)
}

/** The file contains key hashes and the cursor secret. */
function privacyOf(path: string): Finding {
  const mode = statSync(path).mode & 0o777
  const text = `${path} has mode ${mode.toString(8)}`
  return (mode & 0o077) === 0
    ? ok('privacy', text)
    : advice('privacy', `${text}: other users of this machine may open it. Run chmod 600 ${path}`)
}

/** The types of file systems that are in memory, as the system names them: tmpfs and ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6]
const LITTLE_BYTES = 256 * 1024 ** 2

function diskOf(path: string): Finding {
  const { type } = statfsSync(path)
  const free = freeBytes(path)
  const text = `${Math.floor(free / 1024 ** 2)} MiB are free for ${path}`
  if (IN_MEMORY.includes(type))
    return advice('disk', `${path} is in memory, so a restart of the machine loses it`)
  return free < LITTLE_BYTES ? fail('disk', `${text}. Make room before writes fail`) : ok('disk', text)
}
