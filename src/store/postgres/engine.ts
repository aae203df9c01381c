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
  openSnapshot: async () =>
    (await import('./transfer/snapshot.ts')).openPostgresSnapshot(database, environment),
  openCopyTarget: async () =>
    (await import('./transfer/copy-target.ts')).openPostgresCopyTarget(database, environment),
  openStage: async create =>
    (await import('./transfer/stage.ts')).openPostgresStage(database, environment, create),
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
  identify: async () => (await import('./connection/identify.ts')).identifyPostgres(database, environment),
  diagnose: async () => (await import('./diagnose.ts')).diagnosePostgres(database, environment),
  // The files belong to the server.
  owns: async () => false,
})
