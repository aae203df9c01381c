import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** A database shared by many instances. The driver is loaded on first use: it would double the start-up time on SQLite. */
export const postgresEngine = (database: PostgresDatabase, environment: Environment): Engine => ({
  // The connections define the time-outs, for services and commands alike.
  open: async ({ create, observe = () => {} }) => {
    const { openPostgresStore } = await import('./store.ts')
    return openPostgresStore(database, environment, { create, observe })
  },
  openSnapshot: async () => {
    const { openPostgresSnapshot } = await import('./transfer/snapshot.ts')
    return openPostgresSnapshot(database, environment)
  },
  openCopyTarget: async () => {
    const { openPostgresCopyTarget } = await import('./transfer/copy-target.ts')
    return openPostgresCopyTarget(database, environment)
  },
  openStage: async create => {
    const { openPostgresStage } = await import('./transfer/stage.ts')
    return openPostgresStage(database, environment, create)
  },
  // The server's own tools already do this well.
  backUp: async () => {
    throw new OperatorError(
      'PostgreSQL makes its own backups: use pg_dump for a copy, or base backups with archived WAL to go back to any moment.',
    )
  },
  restore: async () => {
    throw new OperatorError(
      'PostgreSQL restores its own backups: use pg_restore for a dump, or point-in-time recovery from a base backup.',
    )
  },
  identify: async () => {
    const { identifyPostgres } = await import('./connection/identify.ts')
    return identifyPostgres(database, environment)
  },
  diagnose: async () => {
    const { diagnosePostgres } = await import('./diagnose.ts')
    return diagnosePostgres(database, environment)
  },
  // The files belong to the server.
  owns: async () => false,
})
