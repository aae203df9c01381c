import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import type { Engine } from '../engine.ts'

/** The server's own tools already do this well. */
const refuse = async (): Promise<never> => {
  throw new OperatorError(
    'PostgreSQL makes its own backups: use pg_dump and pg_restore, or base backups with archived WAL to go back to any moment.',
  )
}

/** A database shared by many instances. The driver is loaded on first use: it would double the start-up time on SQLite. */
export const postgresEngine = (database: PostgresDatabase, environment: Environment): Engine => ({
  // The pool defines the time-outs, for services and commands alike.
  open: async ({ create, observe = () => {} }) =>
    (await import('./store.ts')).openPostgresStore(database, environment, { create, observe }),
  openCopySource: async () => (await import('./copy.ts')).openPostgresCopySource(database, environment),
  openCopyTarget: async () => (await import('./copy.ts')).openPostgresCopyTarget(database, environment),
  markMoved: async place => (await import('./copy.ts')).markPostgresMoved(database, place),
  backUp: refuse,
  restore: refuse,
  diagnose: async () => (await import('./diagnose.ts')).diagnosePostgres(database, environment),
})
