import type { Environment } from '../../contract/servers.ts'
import type { SqliteDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** One file, shared by processes on this machine. Each part is loaded on first use. */
export const sqliteEngine = ({ path }: SqliteDatabase, environment: Environment): Engine => ({
  open: async ({ create, observe = () => {}, caller = 'command', sharing }) => {
    const { openSqliteStore } = await import('./store.ts')
    return openSqliteStore(path, environment, { create, observe, caller, sharing })
  },
  openSnapshot: async () => {
    const { openSqliteSnapshot } = await import('./transfer/snapshot.ts')
    return openSqliteSnapshot(path, environment)
  },
  openCopyTarget: async () => {
    const { openSqliteCopyTarget } = await import('./transfer/copy-target.ts')
    return openSqliteCopyTarget(path, environment)
  },
  openStage: async create => {
    const { openSqliteStage } = await import('./transfer/stage.ts')
    return openSqliteStage(path, environment, create)
  },
  backUp: async options => {
    const { backUpSqlite } = await import('./backup/backup.ts')
    return backUpSqlite({ path, environment, ...options })
  },
  restore: async options => {
    const { restoreSqlite } = await import('./backup/restore.ts')
    return restoreSqlite(path, environment, options)
  },
  identify: async () => {
    const { identifySqlite } = await import('./file/identify.ts')
    return identifySqlite(path, environment)
  },
  diagnose: async () => {
    const { diagnoseSqlite } = await import('./diagnose/diagnose.ts')
    return diagnoseSqlite(path, environment)
  },
  owns: async file => {
    const { isPartOfDatabase } = await import('./file/names.ts')
    return isPartOfDatabase(path, file)
  },
})
