import type { SqliteDatabase } from '../database.ts'
import type { Engine, StoreLocation } from '../engine.ts'
import { backUpSqlite, recordSqliteBackup, restoreSqlite } from './backup.ts'
import { copyFromSqlite, copyIntoSqlite, markSqliteMoved } from './copy.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { checkFile } from './open.ts'
import { openSqliteStore } from './store.ts'

/** One file, which processes on this machine can share. */
export const sqliteEngine = ({ database: { path }, environment }: StoreLocation<SqliteDatabase>): Engine => ({
  open: opening => openSqliteStore(path, environment, opening),
  check: async () => checkFile(path, environment),
  copyFrom: work => copyFromSqlite(path, environment, work),
  copyInto: (source, control) => copyIntoSqlite(path, environment, source, control),
  markMoved: async to => markSqliteMoved(path, to),
  backUp: async options => backUpSqlite(path, environment, options),
  recordBackup: async () => recordSqliteBackup(path),
  restore: async options => restoreSqlite(path, environment, options),
  diagnose: async () => diagnoseSqlite(path, environment),
})
