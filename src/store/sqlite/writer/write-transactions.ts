import type { Database } from 'bun:sqlite'
import { withoutWaiting } from '../file/database.ts'
import { isBusy } from '../file/failures.ts'

/** Runs work in a transaction that may write from its first statement on. */
export type WriteTransaction = <T>(work: () => T) => T

/**
 * Another process that stores one batch after the other leaves the lock free for some tenths of a millisecond in between. SQLite
 * itself looks every 100 ms after a while, and may look for ever.
 */
const LOOK_EVERY_MS = 0.1

/** Takes turns with the writers of other processes: waits for the lock up to a limit, and notices when it is free. */
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
      // SQLite has rolled back by itself after some failures, those of the disk among them.
      if (database.inTransaction) database.run('ROLLBACK')
      throw error
    }
  }
}

/** `Bun.sleepSync` counts in whole milliseconds. */
const nap = (ms: number): void => void Atomics.wait(NEVER_WOKEN, 0, 0, ms)
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))
