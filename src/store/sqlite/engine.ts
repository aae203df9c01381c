import type { SqliteDatabase } from '../database.ts'
import type { Engine, StoreLocation } from '../engine.ts'
import { backUpSqlite, recordSqliteBackup, restoreSqlite } from './backup.ts'
import { fillSqlite, markSqlite, readSqlite } from './copy.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { checkFile } from './open.ts'
import { openSqliteStore } from './store.ts'

/** One file, which processes on this machine can share. */
export function sqliteEngine({ database: { path }, environment }: StoreLocation<SqliteDatabase>): Engine {
  const location = { path, environment }
  return {
    prepare: async (create, observe, work) => {
      const store = await openSqliteStore(location, { create, caller: 'service', observe })
      // A disk that is full or hangs must not keep the service from reporting it.
      await store.ping().catch((cause: unknown) => observe({ kind: 'creates-will-fail', cause }))
      return { result: await work(store.keys), kept: store }
    },
    open: opening => openSqliteStore(location, opening),
    check: async () => checkFile(location),
    read: work => readSqlite(location, work),
    fill: (mark, work) => fillSqlite(location, mark, work),
    mark: async mark => markSqlite(location, mark),
    backUp: async options => backUpSqlite(location, options),
    recordBackup: async () => recordSqliteBackup(path),
    restore: async options => restoreSqlite(location, options),
    diagnose: async () => diagnoseSqlite(location),
  }
}
