import type { Database } from 'bun:sqlite'
import type { Condition } from '../file/condition.ts'
import { isIoFailure } from '../file/failures.ts'
import { emptyLog } from './log.ts'

type Guard = <T>(write: () => T) => T

/**
 * Checks around every write, so that nothing is acknowledged that could be lost.
 *
 * After a failed sync the log holds the refused transaction behind its valid end, and the system may consider its pages
 * written although they are not (it reports the failure once). SQLite does not show such a transaction, but a recovery
 * after a crash would. So before the next write, the valid part is copied into the database and the log is emptied.
 */
export function guardedWrites(database: Database, condition: Condition): Guard {
  let isLogSuspect = false

  function settle(): void {
    if (!isLogSuspect) return
    emptyLog(database)
    isLogSuspect = false
  }

  return write => {
    condition.assertSound()
    settle()
    try {
      const result = write()
      // Check again: a commit counts only if the files are still where the next start will look for them.
      condition.assertSound()
      return result
    } catch (error) {
      condition.note(error)
      if (isIoFailure(error)) isLogSuspect = true
      throw error
    }
  }
}
