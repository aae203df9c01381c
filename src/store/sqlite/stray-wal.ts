import type { Database } from 'bun:sqlite'
import { randomInt } from 'node:crypto'
import { connect, connectUnchanging, singleValue } from './connect.ts'
import { changesBeside, PAGE_BYTES, realPath, sizeOf, walOf } from './database-files.ts'
import { DamagedFiles, isDamage, isNoDatabase } from './sqlite-errors.ts'

/**
 * SQLite's `user_version` holds the version of the schema in its low byte. The rest is a number of the file itself, which its
 * backups do not share, because SQLite applies a write-ahead log to any file that it finds beside it.
 */
const VERSIONS = 256
export const versionIn = (userVersion: number): number => userVersion % VERSIONS
const fileNumberIn = (userVersion: number): number => Math.floor(userVersion / VERSIONS)

/** The `user_version` of a file with this version of the schema. A new file gets a new number. */
export const userVersionOf = (version: number, previous = 0): number =>
  (fileNumberIn(previous) || randomInt(1, 2 ** 23)) * VERSIONS + version

/**
 * Refuses a write-ahead log or a journal whose database file is gone. SQLite would delete it beside an empty file, and damage any
 * other file with it. A new database has its first page before it has a write-ahead log; until then it may have a journal without a page.
 */
export function refuseStrayWal(path: string): void {
  const changes = changesBeside(path).find(file => file === walOf(path) || sizeOf(file) > PAGE_BYTES)
  if (changes === undefined) return
  const file = realPath(path)
  // SQLite reads an immutable file without its write-ahead log.
  const found = userVersionAt(file, connectUnchanging)
  if (found === undefined)
    throw new DamagedFiles(
      `There is no database at ${file}, but ${changes} beside it holds changes, perhaps the newest animals`,
    )
  // SQLite rolls it back. Only the first start of a backup writes with a journal, for an instant.
  if (changes !== walOf(path)) return
  const applied = userVersionAt(file, () => connect(file, 'read')) ?? 0
  // The transaction that creates a file also numbers it, and may still be in the write-ahead log.
  if (fileNumberIn(found) !== 0 && fileNumberIn(found) !== fileNumberIn(applied))
    throw new DamagedFiles(`${changes} belongs to another database file than ${file}`)
}

/** Undefined if it is no database. Read by SQLite: closing a descriptor of ours would release this process's other locks. */
function userVersionAt(file: string, open: (file: string) => Database): number | undefined {
  if (sizeOf(file) < PAGE_BYTES) return undefined
  try {
    using database = open(file)
    return Number(singleValue(database, 'PRAGMA user_version'))
  } catch (error) {
    if (isNoDatabase(error)) return undefined
    // The end of the file is still in the write-ahead log, which SQLite copies from the first page on.
    if (isDamage(error)) return 0
    throw error
  }
}
