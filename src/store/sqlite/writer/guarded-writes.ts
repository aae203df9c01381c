import type { Database } from 'bun:sqlite'
import type { Condition } from '../file/condition.ts'
import { isIoFailure } from '../file/failures.ts'
import { emptyLog } from './log.ts'

type Guard = <T>(write: () => T) => T

/**
 * What must hold around every write, so that nothing is acknowledged which could be lost.
 *
 * After a sync that failed, the log has the refused transaction behind its valid end, and the system may take its pages for
 * written although they are not (it reports the failure once). SQLite does not show such a transaction, but a recovery after a
 * crash would. So before anything else is written, the valid part is copied into the database and the log is emptied.
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
      // Once more: what was committed counts only if it lies where the next start will look for it.
      condition.assertSound()
      return result
    } catch (error) {
      condition.note(error)
      if (isIoFailure(error)) isLogSuspect = true
      throw error
    }
  }
}
