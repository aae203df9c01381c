import type { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import { commandName } from '../../this-program.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../engine.ts'
import { noFile } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { lastBackupOf } from './backup.ts'
import { realPath } from './file-check.ts'
import { contentsOf, inspect, openConnection, reading, singleValue } from './open.ts'

const MEGABYTE = 1024 * 1024
const LEAST_FREE_BYTES = 256 * MEGABYTE

/** Checks a database file and its disk. */
export function diagnoseSqlite(path: string, environment: Environment): Diagnosis {
  const disk = [spaceAt(path), permissionAt(path)]
  const nothing = { lastBackup: 'none' } as const
  try {
    if (inspect(path, environment) === 'nothing') return { ...nothing, missing: noFile(path), findings: disk }
    return reading(path, database => ({
      findings: [
        integrityOf(database, path),
        ok('animals', `${contentsOf(database).animals}, in ${path}`),
        privacyOf(path),
        durabilityOf(database, path),
        ...disk,
      ],
      keys: database.query<KeyRow, []>(SELECT_KEYS).all().map(keyOf),
      lastBackup: lastBackupOf(database) ?? 'none',
    }))
  } catch (error) {
    const text = messageOf(error)
    const sentence = error instanceof OperatorError ? text : `${path} cannot be read: ${text}.`
    return { ...nothing, findings: [fail('database', sentence), ...disk] }
  }
}

function integrityOf(database: Database, path: string): Finding {
  const verdict = singleValue(database, 'PRAGMA quick_check(1)')
  if (verdict === 'ok')
    return ok('database', `SQLite ${singleValue(database, 'SELECT sqlite_version()')}, file intact`)
  const how = `Stop the service and restore a backup: ${commandName()} restore FILE`
  return fail('database', `${path} is damaged (${verdict}). ${how}`)
}

/** The file holds the hashes of keys and the cursor secret. */
function privacyOf(path: string): Finding {
  const mode = statSync(path).mode & 0o777
  const text = `${path} has mode ${mode.toString(8)}`
  return (mode & 0o077) === 0
    ? ok('privacy', text)
    : advice('privacy', `${text}: other users of this machine may open it. Run chmod 600 ${path}`)
}

function durabilityOf(database: Database, path: string): Finding {
  // A restored file gets its settings with the next start: a diagnosis changes nothing.
  if (singleValue(database, 'PRAGMA journal_mode') === 'wal') openConnection(path, 0).close()
  return ok('durability', 'journal_mode=WAL, synchronous=FULL: a 201 is on the disk')
}

function spaceAt(path: string): Finding {
  const { bavail, bsize } = statfsSync(nearestFolder(path))
  const free = bavail * bsize
  const text = `${Math.floor(free / MEGABYTE)} MiB free`
  if (free < LEAST_FREE_BYTES) return fail('disk', `${text}. Free some space, or animals cannot be added`)
  // A backup on the same disk needs as much again.
  return free < 2 * (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    ? advice('disk', `${text}, less than twice the database. Make room`)
    : ok('disk', text)
}

function permissionAt(path: string): Finding {
  const folder = nearestFolder(path)
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
