import { Condition } from '../file/condition.ts'
import { openDatabase } from '../file/database.ts'
import { fileIdentity } from '../file/identify.ts'
import { FileIdentity, isReplaced } from '../file/identity.ts'
import { type Methods, serveCalls } from '../thread/serve-calls.ts'
import { guardedWrites } from './guarded-writes.ts'
import { shareWriter } from './shared/share.ts'
import { gatherBatches } from './shared/together.ts'
import { writeTransactions } from './write-transactions.ts'
import { sqliteWriter } from './writer.ts'

/** 64 MB. Beyond that, checkpoints have fallen behind and SQLite makes one within each commit. */
const LONGEST_LOG_PAGES = 16_000

type Write = (...args: readonly unknown[]) => unknown

/** The thread that writes and waits for the disk. */
serveCalls((name, file, lockMs, socket): Methods => {
  const path = String(name)
  const database = openDatabase(path)
  if (fileIdentity(path) !== file) {
    database.close()
    throw isReplaced(path)
  }
  database.run(`PRAGMA wal_autocheckpoint = ${LONGEST_LOG_PAGES}`)
  const guard = guardedWrites(database, new Condition(new FileIdentity(path, database)))
  const transaction = writeTransactions(database, Number(lockMs))
  const writer = sqliteWriter(database, transaction)
  const writes = Object.entries(writer) as unknown as [string, Write][]
  const methods: Methods = Object.fromEntries(
    writes.map(([name, write]) => [name, (...args) => guard(() => write(...args))]),
  )
  if (typeof socket !== 'string') return { ...methods, close: () => database.close() }

  const shared: Methods = {
    ...methods,
    addPets: gatherBatches(batches => guard(() => writer.addAllPets(batches))),
  }
  const leave = shareWriter({ socket, file, methods: shared })
  return { ...shared, close: () => leave().then(() => database.close()) }
})
