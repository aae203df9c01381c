import type { Database } from 'bun:sqlite'
import { realpathSync, statSync } from 'node:fs'
import { syncPath } from '../../../files/sync.ts'
import { withoutWaiting } from '../file/database.ts'
import { FileFault, isDiskFull } from '../file/failures.ts'

interface Checkpoint {
  /** 1 if a reader or another process was in the way. */
  readonly busy: bigint
  /** Pages in the log at the start, and how many of them are in the database now. */
  readonly log: bigint
  readonly checkpointed: bigint
}

function checkpoint(database: Database, mode: 'PASSIVE' | 'TRUNCATE'): Checkpoint {
  const statement = database.prepare<Checkpoint, []>(`PRAGMA wal_checkpoint(${mode})`)
  try {
    return statement.get() as Checkpoint
  } finally {
    statement.finalize()
  }
}

/**
 * Copies as much of the log into the database as readers permit. It neither waits nor makes others wait. Returns the
 * number of pages in the log and whether all of them were copied.
 */
export function copyLog(database: Database): { readonly pages: number; readonly isWhole: boolean } {
  const { log, checkpointed } = checkpoint(database, 'PASSIVE')
  return { pages: Number(log), isWhole: checkpointed === log }
}

/** Copies the log into the database, syncs it and empties the log. Returns false if another connection is in the way. */
const emptied = (database: Database): boolean => checkpoint(database, 'TRUNCATE').busy === 0n

/** SQLite keeps the log beside the link's target. */
const logOf = (path: string): string => `${realpathSync(path)}-wal`

export const logBytes = (path: string): number => statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0

export function emptyLog(database: Database): void {
  if (!emptied(database))
    throw new FileFault('The log must be emptied after a failure of the disk, but another process reads it.')
}

/**
 * Makes durable what a crash left in the log. SQLite recovers whatever it can read there, possibly a transaction that
 * was never synced: a client could see it, and the next power cut could still lose it.
 */
export function settleRecovered(database: Database, path: string): void {
  if (logBytes(path) === 0) return
  try {
    if (withoutWaiting(database, () => emptied(database))) return
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  // Another process uses the log, or there is no space to copy it, so sync it in place.
  syncPath(logOf(path))
}
