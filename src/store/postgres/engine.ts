import { OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import type { Engine, StoreLocation } from '../engine.ts'
import { copyFromPostgres, copyIntoPostgres, markPostgres } from './copy.ts'
import { checkPostgres, diagnosePostgres } from './diagnose.ts'
import { openPostgresStore } from './store.ts'

/** A database shared by many instances. */
export const postgresEngine = (location: StoreLocation<PostgresDatabase>): Engine => ({
  open: opening => openPostgresStore(location, opening),
  check: () => checkPostgres(location),
  copyFrom: (to, work) => copyFromPostgres(location, to, work),
  copyInto: (source, control) => copyIntoPostgres(location, source, control),
  mark: mark => markPostgres(location.database, mark),
  backUp: refuseBackup,
  recordBackup: refuseBackup,
  restore: refuseBackup,
  diagnose: options => diagnosePostgres(location, options),
})

/** The server's own tools already do this well. */
async function refuseBackup(): Promise<never> {
  throw new OperatorError(
    'PostgreSQL makes its own backups: use pg_dump and pg_restore, or base backups with archived WAL to go back to any moment. Turn off a timer of petstore backup.',
  )
}
