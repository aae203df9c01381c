import type { Database } from 'bun:sqlite'
import { statfsSync, statSync } from 'node:fs'
import { advice, type Finding, fail, ok } from '../../findings.ts'
import { commandName } from '../../this-program.ts'
import type { Diagnosis } from '../engine.ts'
import { foundKeys, type KeyRow, SELECT_KEYS } from '../key-rows.ts'
import { lastBackupAt } from './backup.ts'
import { connect, singleValue } from './connect.ts'
import { freeBytes } from './file-check.ts'
import { checkFile } from './open.ts'
import { contentsOf, type SqliteLocation } from './schema.ts'

/** Checks a database file as a start does, and more thoroughly. */
export function diagnoseSqlite(location: SqliteLocation, configuredHash?: string): Diagnosis {
  const { path } = location.database
  try {
    checkFile(location)
    using database = connect(path, 'read')
    const animals = ok('animals', `${contentsOf(database).animals}, in ${path}`)
    return {
      findings: [integrityOf(database, path), animals, privacyOf(path), diskOf(path)],
      ...foundKeys(database.query<KeyRow, []>(SELECT_KEYS).all(), configuredHash),
      lastBackup: lastBackupAt(database),
    }
  } catch (failure) {
    return { findings: [], failure }
  }
}

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
