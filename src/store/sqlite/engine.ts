import type { Engine } from '../engine.ts'
import { backUpSqlite, recordSqliteBackup, restoreSqlite } from './backup.ts'
import { copyIntoSqlite, markSqlite, readSqlite } from './copy.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { checkFile } from './open.ts'
import type { SqliteLocation } from './schema.ts'
import { openSqliteStore } from './store.ts'

/** One file, which processes on this machine can share. */
export const sqliteEngine = (location: SqliteLocation): Engine => ({
  prepare: async (create, observe, work) => {
    const store = await openSqliteStore(location, { create, caller: 'service', observe })
    // A disk that is full or hangs must not keep the service from reporting it.
    await store.ping().catch((cause: unknown) => observe({ kind: 'creates-will-fail', cause }))
    return { result: await work(store.keys), kept: store }
  },
  open: opening => openSqliteStore(location, opening),
  check: async () => checkFile(location),
  read: work => readSqlite(location, work),
  copyInto: (from, reading, control) => copyIntoSqlite(location, from, reading, control),
  mark: async mark => markSqlite(location, mark),
  backUp: async options => backUpSqlite(location, options),
  recordBackup: async () => recordSqliteBackup(location.database.path),
  restore: async options => restoreSqlite(location, options),
  diagnose: async () => diagnoseSqlite(location),
})
