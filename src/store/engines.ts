import type { Environment } from '../contract/servers.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database, PostgresDatabase, SqliteDatabase } from './database.ts'
import type { Engine } from './engine.ts'

/** Returns the engine of a database. The only file that imports both, each part on first use. */
export const engineOf = ({
  database,
  environment,
}: {
  readonly database: Database
  readonly environment: Environment
}): Engine =>
  database.engine === 'sqlite'
    ? sqliteEngine(database, environment)
    : postgresEngine({ database, environment })

/** One file, shared by processes on this machine. */
const sqliteEngine = ({ path }: SqliteDatabase, environment: Environment): Engine => ({
  open: async ({ create, observe = () => {}, caller = 'command', thread }) =>
    (await import('./sqlite/store.ts')).openSqliteStore(path, environment, {
      create,
      observe,
      caller,
      thread,
    }),
  check: async () => (await import('./sqlite/open.ts')).checkFile(path, environment),
  copyFrom: async work => (await import('./sqlite/copy.ts')).copyFromSqlite(path, environment, work),
  copyInto: async (source, control) =>
    (await import('./sqlite/copy.ts')).copyIntoSqlite(path, environment, source, control),
  markMoved: async to => (await import('./sqlite/copy.ts')).markSqliteMoved(path, to),
  backUp: async options => (await import('./sqlite/backup.ts')).backUpSqlite(path, environment, options),
  recordBackup: async () => (await import('./sqlite/backup.ts')).recordSqliteBackup(path),
  restore: async options => (await import('./sqlite/backup.ts')).restoreSqlite(path, environment, options),
  diagnose: async () => (await import('./sqlite/diagnose.ts')).diagnoseSqlite(path, environment),
})

/** A database shared by many instances. Its driver would double the start-up time on SQLite. */
const postgresEngine = (place: { database: PostgresDatabase; environment: Environment }): Engine => ({
  // The pool defines the time-outs, for services and commands alike.
  open: async ({ create, observe = () => {}, thread }) =>
    (await import('./postgres/store.ts')).openPostgresStore(place, { create, observe, thread }),
  check: async () => (await import('./postgres/diagnose.ts')).checkPostgres(place),
  copyFrom: async work => (await import('./postgres/copy.ts')).copyFromPostgres(place, work),
  copyInto: async (source, control) =>
    (await import('./postgres/copy.ts')).copyIntoPostgres(place, source, control),
  markMoved: async to => (await import('./postgres/copy.ts')).markPostgresMoved(place.database, to),
  backUp: refuseBackup,
  recordBackup: refuseBackup,
  restore: refuseBackup,
  diagnose: async () => (await import('./postgres/diagnose.ts')).diagnosePostgres(place),
})

/** The server's own tools already do this well. */
async function refuseBackup(): Promise<never> {
  throw new OperatorError(
    'PostgreSQL makes its own backups: use pg_dump and pg_restore, or base backups with archived WAL to go back to any moment.',
  )
}
