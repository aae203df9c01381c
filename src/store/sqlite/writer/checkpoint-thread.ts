import { fdatasyncSync, openSync } from 'node:fs'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { openDatabase } from '../file/database.ts'
import { type Methods, serveCalls } from '../thread/serve-calls.ts'
import { copyLog } from './log.ts'
import { writeTransactions } from './write-transactions.ts'

/** 16 MB: a larger log would take longer to read after a crash. */
const BEGIN_ANEW_PAGES = 4000

/**
 * The thread that copies the log into the database while writers continue. The log starts over at the first write that
 * finds all of it copied. If writes leave no gap for that, a transaction blocks them for the short rest.
 */
serveCalls((name, lockMs): Methods => {
  const path = String(name)
  const database = openDatabase(path)
  const other = openDatabase(path)
  // Never closed: closing it would release SQLite's locks.
  const file = asOwnerOf(path, () => openSync(path, 'r'))
  const transaction = writeTransactions(other, Number(lockMs))
  return {
    copyLog: () => {
      const { pages, isWhole } = copyLog(database)
      if (pages < BEGIN_ANEW_PAGES || !isWhole) return
      // SQLite syncs the database once the whole log is copied. This does most of that before writers are blocked.
      fdatasyncSync(file)
      transaction(() => copyLog(database))
    },
    close: () => {
      other.close()
      database.close()
    },
  }
})
