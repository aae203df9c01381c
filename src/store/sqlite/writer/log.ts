import type { Database } from 'bun:sqlite'
import { realpathSync, statSync } from 'node:fs'
import { syncPath } from '../../../files/sync.ts'
import { withoutWaiting } from '../file/database.ts'
import { FileFault, isDiskFull } from '../file/failures.ts'

interface Checkpoint {
  /** 1 when a reader or another process was in the way. */
  readonly busy: bigint
}

/** Copies the log into the database, syncs that, and leaves the log empty. False when another connection is in the way. */
function checkpoint(database: Database): boolean {
  const statement = database.prepare<Checkpoint, []>('PRAGMA wal_checkpoint(TRUNCATE)')
  try {
    return statement.get()?.busy === 0n
  } finally {
    statement.finalize()
  }
}

/** SQLite keeps the log beside the file that a link leads to. */
const logOf = (path: string): string => `${realpathSync(path)}-wal`

export const logBytes = (path: string): number => statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0

export function emptyLog(database: Database): void {
  if (!checkpoint(database))
    throw new FileFault('The log must be emptied after a failure of the disk, but another process reads it.')
}

/**
 * Makes durable what a crash left in the log. SQLite recovers whatever it can read there, which may be a transaction that was
 * never synced: shown to a client, it could still vanish with the next loss of power.
 */
export function settleRecovered(database: Database, path: string): void {
  if (logBytes(path) === 0) return
  try {
    if (withoutWaiting(database, () => checkpoint(database))) return
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  // Another process uses the log, or there is no room to copy it: it is durable where it is.
  syncPath(logOf(path))
}
