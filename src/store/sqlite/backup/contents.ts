import type { Database } from 'bun:sqlite'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import type { CopySummary } from '../../backup.ts'
import { hasTable, singleValue } from '../file/database.ts'
import { refuseOddParts } from '../file/names.ts'
import { openReading } from '../file/open-reading.ts'

const WAIT_FOR_LOCK_MS = 5000

/** Reads a database on a read-only connection, which closes after the work. */
export const reading = <T>(path: string, work: (database: Database) => T): T =>
  asOwnerOf(path, () => readingAlone(path, work))

function readingAlone<T>(path: string, work: (database: Database) => T): T {
  refuseOddParts(path)
  using database = openReading(path, WAIT_FOR_LOCK_MS)
  return work(database)
}

export function contentsOf(database: Database): CopySummary {
  return {
    animals: Number(valueFrom(database, 'pets', 'count(*)')),
    keys: Number(valueFrom(database, 'api_keys', 'count(*)')),
    lastId: valueFrom(database, 'sqlite_sequence', 'coalesce(max(seq), 0)'),
  }
}

/** A table that an older schema does not have yet counts as empty. */
function valueFrom(database: Database, table: string, value: string): bigint {
  return hasTable(database, table) ? (singleValue(database, `SELECT ${value} FROM ${table}`) as bigint) : 0n
}
