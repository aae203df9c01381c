import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { commandName } from '../../command-name.ts'
import { plainReason } from '../../operator-error.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../diagnosis.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { lastBackupAt } from './backup.ts'
import { singleValue } from './connect.ts'
import { diskOf, freeBytes, refuseOddPlace, roomProblem } from './database-files.ts'
import { hasDatabase, noFile, opening, readUnopened } from './open.ts'
import { contentsOf, type SqliteLocation } from './schema.ts'

/** Checks a database file as a start does, and more thoroughly. Leaves nothing behind. */
export function diagnoseSqlite(location: SqliteLocation): Diagnosis {
  const { path } = location
  const findings: Finding[] = []
  try {
    return opening(location, () => {
      refuseOddPlace(path)
      const problem = roomProblem(path)
      findings.push(diskFinding(path, problem))
      // Opens an existing file, which fails if there is no space at all.
      hasDatabase(location)
      const diagnosis = readUnopened(path, database => {
        // A restored one changes to a write-ahead log at its first start, which needs space too, as a new one does.
        if (problem && singleValue(database, 'PRAGMA journal_mode') !== 'wal') throw problem
        const animals = ok('animals', `${contentsOf(database).animals}, in ${path}`)
        findings.push(integrityOf(database, path), animals, privacyOf(path))
        const rows = database.query<KeyRow, []>(SELECT_KEYS).all()
        const keys = rows.map(row => ({ ...keyOf(row), hash: row.hash }))
        return { findings, keys, lastBackup: lastBackupAt(database) }
      })
      if (diagnosis === undefined) throw problem ?? noFile(location)
      return diagnosis
    })
  } catch (failure) {
    return { findings, failure }
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

function diskFinding(path: string, problem: Error | undefined): Finding {
  if (problem) return fail('disk', plainReason(problem))
  const free = freeBytes(path)
  const text = `${Math.floor(free / 1024 ** 2)} MiB are free for ${path}`
  if (IN_MEMORY.includes(diskOf(path).type))
    return advice('disk', `${path} is in memory, so a restart of the machine loses it`)
  return free < LITTLE_BYTES ? fail('disk', `${text}. Make room before writes fail`) : ok('disk', text)
}
