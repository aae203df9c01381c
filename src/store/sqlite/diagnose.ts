import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { advice, type Finding, fail, ok } from '../../findings.ts'
import { messageOf } from '../../operator-error.ts'
import { commandName } from '../../this-program.ts'
import type { Diagnosis } from '../engine.ts'
import { DatabaseMoved, NoDatabase } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { lastBackupAt } from './backup.ts'
import { checkFile, connectBriefly, contentsOf, type SqliteLocation, singleValue } from './open.ts'

/** Checks a database file as a start does, and more thoroughly. */
export function diagnoseSqlite(location: SqliteLocation): Diagnosis {
  const { path } = location.database
  try {
    checkFile(location)
    using database = connectBriefly(path)
    return foundIn(database, path)
  } catch (error) {
    if (error instanceof NoDatabase) return { lastBackup: null, findings: [], missing: error }
    if (error instanceof DatabaseMoved) return { lastBackup: null, findings: [], moved: error }
    return { lastBackup: null, findings: [fail('database', messageOf(error))] }
  }
}

const foundIn = (database: Database, path: string): Diagnosis => ({
  findings: [
    integrityOf(database, path),
    ok('animals', `${contentsOf(database).animals}, in ${path}`),
    privacyOf(path),
  ],
  keys: database.query<KeyRow, []>(SELECT_KEYS).all().map(keyOf),
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
