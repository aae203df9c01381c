import type { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import { commandName } from '../../this-program.ts'
import { advice, type Diagnosis, type Finding, fail, type LastBackup, ok } from '../diagnosis.ts'
import { noFile } from '../errors.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../key-rows.ts'
import { logBytes, realPath } from './file-check.ts'
import {
  contentsOf,
  inspect,
  metaValue,
  openConnection,
  reading,
  schemaVersion,
  singleValue,
} from './open.ts'

const MEGABYTE = 1024 * 1024
const LARGE_LOG_BYTES = 256 * MEGABYTE
const LEAST_FREE_BYTES = 256 * MEGABYTE

/** File systems whose locks or syncs are unreliable, by their Linux magic numbers. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

/** File systems whose contents are lost when the machine stops. */
const IN_MEMORY = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])

/** Checks a database file and its disk. */
export function diagnoseSqlite(path: string, environment: Environment): Diagnosis {
  const nothing = { keys: undefined, lastBackup: 'none', serverTime: undefined } as const
  const folder = nearestFolder(path)
  const disk = [space(path, folder), fileSystem(folder), permission(folder)]
  try {
    if (inspect(path, environment) === 'nothing') return { ...nothing, missing: noFile(path), findings: disk }
    return reading(path, database => ({
      findings: [
        integrity(path, database),
        ok('animals', `${contentsOf(database).animals}, in ${path}`),
        privacy(path),
        ok('schema', `version ${schemaVersion(database)}`),
        durability(path, database),
        log(path),
        ...disk,
      ],
      keys: database.query<KeyRow, []>(`SELECT ${KEY_COLUMNS} FROM api_keys`).all().map(keyOf),
      lastBackup: lastBackupOf(database),
      serverTime: undefined,
    }))
  } catch (error) {
    const text =
      error instanceof OperatorError ? error.message : `${path} cannot be read: ${messageOf(error)}.`
    return { ...nothing, findings: [fail('database', text), ...disk] }
  }
}

function integrity(path: string, database: Database): Finding {
  const verdict = singleValue(database, 'PRAGMA quick_check(1)')
  return verdict === 'ok'
    ? ok('database', `SQLite ${singleValue(database, 'SELECT sqlite_version()')}, file intact`)
    : fail(
        'database',
        `${path} is damaged (${verdict}). Stop the service and restore a backup: ${commandName()} restore FILE`,
      )
}

/** The file holds the hashes of keys and the cursor secret. */
function privacy(path: string): Finding {
  const mode = statSync(path).mode & 0o777
  const text = `${path} has mode ${mode.toString(8)}`
  return (mode & 0o077) === 0
    ? ok('privacy', text)
    : advice('privacy', `${text}: other users of this machine may open it. Run chmod 600 ${path}`)
}

function durability(path: string, database: Database): Finding {
  if (singleValue(database, 'PRAGMA journal_mode') !== 'wal')
    return ok('durability', 'the next start sets journal_mode=WAL and synchronous=FULL')
  try {
    openConnection(path, 0).close()
    return ok('durability', 'journal_mode=WAL, synchronous=FULL: a 201 is on the disk')
  } catch (error) {
    return fail('durability', messageOf(error))
  }
}

function log(path: string): Finding {
  const bytes = logBytes(path)
  const text = `${(bytes / MEGABYTE).toFixed(1)} MiB of write-ahead log`
  return bytes < LARGE_LOG_BYTES
    ? ok('log', text)
    : advice('log', `${text}: a long-running read keeps it from being emptied. End that program`)
}

function space(path: string, folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${Math.floor(free / MEGABYTE)} MiB free`
  if (free < LEAST_FREE_BYTES) return fail('disk', `${text}. Free some space, or animals cannot be added`)
  // A backup on the same disk needs as much again.
  return free < 2 * (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    ? advice('disk', `${text}, less than twice the database. Make room`)
    : ok('disk', text)
}

function fileSystem(folder: string): Finding {
  const type = process.platform === 'linux' ? statfsSync(folder).type : 0
  const network = NETWORK_FILE_SYSTEMS.get(type)
  if (network !== undefined)
    return fail(
      'file system',
      `${folder} is on ${network}. Keep the database on a local disk, or use PostgreSQL`,
    )
  const memory = IN_MEMORY.get(type)
  return memory === undefined
    ? ok('file system', 'local')
    : advice('file system', `${folder} is in memory (${memory}): animals are lost when the machine stops`)
}

function permission(folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK)
    return ok('permission', `this user may write to ${folder}`)
  } catch {
    return fail('permission', `This user may not write to ${folder}. Give it the folder, or run as its owner`)
  }
}

function nearestFolder(path: string): string {
  const folder = dirname(realPath(path))
  return existsSync(folder) ? folder : nearestFolder(folder)
}

function lastBackupOf(database: Database): LastBackup | 'none' {
  const note = metaValue(database, 'last_backup')
  if (note === undefined) return 'none'
  const { at, file } = JSON.parse(note) as { at: string; file: string }
  return { at: new Date(at), file: existsSync(file) ? file : `${file} (no longer there)` }
}
