import type { Database } from 'bun:sqlite'
import { withoutWaiting } from '../file/database.ts'
import { isBusy } from '../file/failures.ts'

/** Runs work in a transaction that holds the write lock from the start. */
export type WriteTransaction = <T>(work: () => T) => T

/**
 * A process that stores one batch after another frees the lock only for tenths of a millisecond. SQLite's own wait soon
 * checks only every 100 ms and may never get the lock.
 */
const LOOK_EVERY_MS = 0.1

/** Shares the lock with writers of other processes: waits for it up to a limit, and notices quickly when it is free. */
export function writeTransactions(database: Database, lockMs: number): WriteTransaction {
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')

  function lock(): void {
    const until = performance.now() + lockMs
    for (;;) {
      try {
        begin.run()
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
        nap(LOOK_EVERY_MS)
      }
    }
  }

  return work => {
    withoutWaiting(database, lock)
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      // SQLite has already rolled back after some failures, including those of the disk.
      if (database.inTransaction) database.run('ROLLBACK')
      throw error
    }
  }
}

/** `Bun.sleepSync` has a resolution of one millisecond. */
const nap = (ms: number): void => void Atomics.wait(NEVER_WOKEN, 0, 0, ms)
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))
