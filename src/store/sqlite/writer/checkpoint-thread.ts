import { fdatasyncSync, openSync } from 'node:fs'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { openDatabase } from '../file/database.ts'
import { type Methods, serveCalls } from '../thread/serve-calls.ts'
import { copyLog } from './log.ts'
import { writeTransactions } from './write-transactions.ts'

/** 16 MB: more would take longer to read after a crash. */
const BEGIN_ANEW_PAGES = 4000

/**
 * The thread that copies the log into the database while writers go on. The log begins anew with the first write that finds all of it
 * copied. Where writes leave no gap for that, a transaction keeps them out for the short rest.
 */
serveCalls((name, lockMs): Methods => {
  const path = String(name)
  const database = openDatabase(path)
  const other = openDatabase(path)
  // Stays open for ever: closing it would take the locks of SQLite with it.
  const file = asOwnerOf(path, () => openSync(path, 'r'))
  const transaction = writeTransactions(other, Number(lockMs))
  return {
    copyLog: () => {
      const { pages, isWhole } = copyLog(database)
      if (pages < BEGIN_ANEW_PAGES || !isWhole) return
      // SQLite syncs the database when it has copied all of the log; most of that can be done before writers are kept out.
      fdatasyncSync(file)
      transaction(() => copyLog(database))
    },
    close: () => {
      other.close()
      database.close()
    },
  }
})
