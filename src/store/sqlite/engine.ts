import type { Environment } from '../../contract/servers.ts'
import type { SqliteDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** One file, shared by processes on this machine. Each part is loaded on first use. */
export const sqliteEngine = ({ path }: SqliteDatabase, environment: Environment): Engine => ({
  open: async ({ create, observe = () => {}, caller = 'command', sharing }) => {
    const { openSqliteStore } = await import('./store.ts')
    return openSqliteStore(path, environment, { create, observe, caller, sharing })
  },
  openSnapshot: async () => (await import('./transfer/snapshot.ts')).openSqliteSnapshot(path, environment),
  openCopyTarget: async () =>
    (await import('./transfer/copy-target.ts')).openSqliteCopyTarget(path, environment),
  openStage: async create => (await import('./transfer/stage.ts')).openSqliteStage(path, environment, create),
  backUp: async options =>
    (await import('./backup/backup.ts')).backUpSqlite({ path, environment, ...options }),
  restore: async options => (await import('./backup/restore.ts')).restoreSqlite(path, environment, options),
  identify: async () => (await import('./file/identify.ts')).identifySqlite(path, environment),
  diagnose: async () => (await import('./diagnose/diagnose.ts')).diagnoseSqlite(path, environment),
  owns: async file => (await import('./file/names.ts')).isPartOfDatabase(path, file),
})
