import type { Environment } from '../../contract/servers.ts'
import type { SqliteDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** One file, shared by processes on this machine. Each part is loaded on first use. */
export const sqliteEngine = ({ path }: SqliteDatabase, environment: Environment): Engine => ({
  open: async ({ create, observe = () => {}, caller = 'command' }) =>
    (await import('./store.ts')).openSqliteStore(path, environment, { create, observe, caller }),
  openCopySource: async () => (await import('./copy.ts')).openSqliteCopySource(path, environment),
  openCopyTarget: async () => (await import('./copy.ts')).openSqliteCopyTarget(path, environment),
  markMoved: async place => (await import('./copy.ts')).markSqliteMoved(path, place),
  backUp: async options => (await import('./backup.ts')).backUpSqlite(path, environment, options),
  restore: async options => (await import('./restore.ts')).restoreSqlite(path, environment, options),
  diagnose: async () => (await import('./diagnose.ts')).diagnoseSqlite(path, environment),
})
