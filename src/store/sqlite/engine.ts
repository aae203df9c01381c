import type { Engine } from '../engine.ts'
import { backUpSqlite, recordSqliteBackup, restoreSqlite } from './backup.ts'
import { copyFromSqlite, copyIntoSqlite, markSqlite } from './copy.ts'
import { diagnoseSqlite } from './diagnose.ts'
import { checkFile, type SqliteLocation } from './open.ts'
import { openSqliteStore } from './store.ts'

/** One file, which processes on this machine can share. */
export const sqliteEngine = (location: SqliteLocation): Engine => ({
  open: opening => openSqliteStore(location, opening),
  check: async () => checkFile(location),
  copyFrom: (to, work) => copyFromSqlite(location, to, work),
  copyInto: (source, control) => copyIntoSqlite(location, source, control),
  mark: async mark => markSqlite(location.database.path, mark),
  backUp: async options => backUpSqlite(location, options),
  recordBackup: async () => recordSqliteBackup(location.database.path),
  restore: async options => restoreSqlite(location, options),
  diagnose: async options => diagnoseSqlite(location, options),
})
