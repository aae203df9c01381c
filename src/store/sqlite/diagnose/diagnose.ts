import type { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { commandName } from '../../../command-name.ts'
import type { Environment } from '../../../contract/servers.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import { advice, type Diagnosis, type Finding, fail, type LastBackup, ok } from '../../diagnosis.ts'
import { noFile } from '../../no-database.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../../rows.ts'
import { contentsOf, reading } from '../backup/contents.ts'
import { hasTable, openDatabase, singleValue } from '../file/database.ts'
import { inspect } from '../file/inspect.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { appliedVersion } from '../migrations/migrate.ts'
import { logBytes } from '../writer/log.ts'
import { diskFindings } from './disk.ts'

const LARGE_LOG_BYTES = 256 * 1024 * 1024

/** Checks a database file. */
export function diagnoseSqlite(path: string, environment: Environment): Diagnosis {
  const nothing = { keys: undefined, lastBackup: 'none', serverTime: undefined } as const
  try {
    if (inspect(path, environment) === 'nothing')
      return { ...nothing, missing: noFile(path), findings: diskFindings(path) }
    return reading(path, database => ({
      findings: [...findings(database, path), ...diskFindings(path)],
      keys: keysOf(database),
      lastBackup: lastBackupOf(database),
      serverTime: undefined,
    }))
  } catch (error) {
    const { message } = error as Error
    const text = error instanceof OperatorError ? message : `${path} cannot be read: ${message}.`
    return { ...nothing, findings: [fail('database', text), ...diskFindings(path)] }
  }
}

function findings(database: Database, path: string): Finding[] {
  const { animals } = contentsOf(database)
  return [
    integrity(database, path),
    ok('animals', `${animals}, in ${path}`),
    privacy(path),
    schema(database),
    durability(database, path),
    log(path),
  ]
}

function integrity(database: Database, path: string): Finding {
  const verdict = singleValue(database, 'PRAGMA quick_check(1)')
  return verdict === 'ok'
    ? ok('database', `SQLite ${singleValue(database, 'SELECT sqlite_version()')}, file intact`)
    : fail(
        'database',
        `${path} is damaged (${verdict}). Stop the service and restore a backup: ${commandName()} restore FILE`,
      )
}

function schema(database: Database): Finding {
  const version = appliedVersion(database)
  const known = `schema ${version} of ${MIGRATIONS.length}`
  return version === MIGRATIONS.length
    ? ok('schema', known)
    : advice(
        'schema',
        `${known}; the next start upgrades it. Make a backup first: ${commandName()} backup FILE`,
      )
}

function durability(database: Database, path: string): Finding {
  if (singleValue(database, 'PRAGMA journal_mode') !== 'wal')
    return ok('durability', 'the next start sets journal_mode=WAL and synchronous=FULL')
  try {
    openDatabase(path).close()
    return ok('durability', 'journal_mode=WAL, synchronous=FULL: a 201 is on the disk')
  } catch (error) {
    return fail('durability', messageOf(error))
  }
}

/** The file holds the hashes of keys and the cursor secret. */
function privacy(path: string): Finding {
  const mode = statSync(path).mode & 0o777
  const text = `${path} has mode ${mode.toString(8)}`
  return (mode & 0o077) === 0
    ? ok('privacy', text)
    : advice('privacy', `${text}: other users of this machine may open it. Run chmod 600 ${path}`)
}

function log(path: string): Finding {
  const bytes = logBytes(path)
  const megabytes = `${(bytes / 1024 / 1024).toFixed(1)} MiB of write-ahead log`
  return bytes < LARGE_LOG_BYTES
    ? ok('log', megabytes)
    : advice('log', `${megabytes}: a long-running read keeps it from being emptied. End that program`)
}

const keysOf = (database: Database) =>
  hasTable(database, 'api_keys')
    ? database.query<KeyRow, []>(`SELECT ${KEY_COLUMNS} FROM api_keys`).all().map(keyOf)
    : []

function lastBackupOf(database: Database): LastBackup | 'none' {
  const note = singleValue(database, "SELECT value FROM meta WHERE name = 'last_backup'")
  if (note === undefined) return 'none'
  const { at, file } = JSON.parse(String(note)) as { at: string; file: string }
  return existsSync(file)
    ? { at: new Date(at), file }
    : { at: new Date(at), file: `${file} (no longer there)` }
}
