import type { Database } from 'bun:sqlite'
import { realpathSync, statSync } from 'node:fs'
import { syncPath } from '../../../files/sync.ts'
import { withoutWaiting } from '../file/database.ts'
import { FileFault, isDiskFull } from '../file/failures.ts'

interface Checkpoint {
  /** 1 when a reader or another process was in the way. */
  readonly busy: bigint
  /** Pages in the log when it began, and how many of them are in the database now. */
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
 * Copies as much of the log into the database as no reader is in the way of. Waits for no one, and no one waits for it. Says how many
 * pages the log had, and whether all of them were copied.
 */
export function copyLog(database: Database): { readonly pages: number; readonly isWhole: boolean } {
  const { log, checkpointed } = checkpoint(database, 'PASSIVE')
  return { pages: Number(log), isWhole: checkpointed === log }
}

/** Copies the log into the database, syncs that, and leaves the log empty. False when another connection is in the way. */
const emptied = (database: Database): boolean => checkpoint(database, 'TRUNCATE').busy === 0n

/** SQLite keeps the log beside the file that a link leads to. */
const logOf = (path: string): string => `${realpathSync(path)}-wal`

export const logBytes = (path: string): number => statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0

export function emptyLog(database: Database): void {
  if (!emptied(database))
    throw new FileFault('The log must be emptied after a failure of the disk, but another process reads it.')
}

/**
 * Makes durable what a crash left in the log. SQLite recovers whatever it can read there, which may be a transaction that was
 * never synced: shown to a client, it could still vanish with the next loss of power.
 */
export function settleRecovered(database: Database, path: string): void {
  if (logBytes(path) === 0) return
  try {
    if (withoutWaiting(database, () => emptied(database))) return
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
  // Another process uses the log, or there is no room to copy it: it is durable where it is.
  syncPath(logOf(path))
}
