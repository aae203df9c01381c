import type { Database } from 'bun:sqlite'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { singleValue } from './database.ts'
import { fileCannotAnswer, isBusy, isDamage } from './failures.ts'
import { refuseOddParts } from './names.ts'
import { openReading } from './open-reading.ts'

/** "PETS": distinguishes our files from other SQLite databases. */
export const APPLICATION_ID = 0x50455453

const HEADER_LENGTH = 100
const MAGIC = 'SQLite format 3\0'

/**
 * Inspects a file before it is opened for writing, so that a file we must not use stays unchanged. Not for a process
 * that already has the database open: closing a file releases all locks of the process on it, including SQLite's.
 */
export const inspect = (path: string, environment: Environment): 'ours' | 'nothing' =>
  asOwnerOf(path, () => look(path, environment))

function look(path: string, environment: Environment): 'ours' | 'nothing' {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 'nothing'
  refuseOddParts(path)
  if (isEmpty(path)) return 'nothing'
  try {
    using database = openReading(path)
    if (isBlank(database)) return 'nothing'
    assertOurFile(database, path, environment)
    return 'ours'
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (isBusy(error))
      throw new OperatorError(`The database ${path} is in use by a copy or by another program.`, {
        cause: error,
        exit: 'unavailable',
      })
    if (fileCannotAnswer(error) && !isDamage(error)) throw error
    throw new OperatorError(`The database ${path} is damaged (${messageOf(error)}). It was not changed.`, {
      cause: error,
    })
  }
}

/** Whether SQLite would treat the file as a new database. Refuses a file with an invalid header. */
function isEmpty(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size === 0) return true
    const header = Buffer.alloc(HEADER_LENGTH)
    readSync(file, header, 0, HEADER_LENGTH, 0)
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new OperatorError(`${path} is not an SQLite database, or it is damaged. It was not changed.`)
    assertComplete(header, size, path)
    return false
  } finally {
    closeSync(file)
  }
}

/** The header records the number of pages. A shorter file was truncated, unless the log still holds the rest. */
function assertComplete(header: Buffer, size: number, path: string): void {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return
  const declared = header.readUInt16BE(16)
  const pageSize = declared === 1 ? 65536 : declared
  if (size < header.readUInt32BE(28) * pageSize)
    throw new OperatorError(
      `The database ${path} is truncated: it is smaller than its header says. It was not changed.`,
    )
}

/** Whether nothing was ever stored in it. */
export const isBlank = (database: Database): boolean =>
  singleValue(database, 'SELECT count(*) FROM sqlite_schema') === 0n

export function assertOurFile(database: Database, path: string, environment: Environment): void {
  assertOwner(database, path, environment)
  const version = Number(singleValue(database, 'SELECT coalesce(max(version), 0) FROM migrations'))
  if (version > MIGRATIONS.length)
    throw new OperatorError(
      `The database ${path} was written by a newer release (schema ${version}; this release knows ${MIGRATIONS.length}). It was not changed.`,
    )
}

export function assertOwner(database: Database, path: string, environment: Environment): void {
  if (singleValue(database, 'PRAGMA application_id') !== BigInt(APPLICATION_ID))
    throw new OperatorError(`${path} is a database of another program. It was not changed.`)
  const owner = singleValue(database, "SELECT value FROM meta WHERE name = 'environment'")
  if (owner !== environment)
    throw new OperatorError(
      `The database ${path} belongs to ${owner}; this is ${environment}. It was not changed.`,
    )
}
