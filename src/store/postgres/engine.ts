import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** A database that many instances share. The driver is loaded when it is used: it would double the time to start on SQLite. */
export const postgresEngine = (database: PostgresDatabase, environment: Environment): Engine => ({
  // Time-outs are those of the connections, for services and commands alike.
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
  // A second tool would only do worse what the server's own do well.
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
  // Its files belong to the server.
  owns: async () => false,
})
