import pg from 'pg'
import { InvalidInput } from '../../operator-error.ts'
import type { Engine } from '../engine.ts'
import { fillPostgres, markPostgres, readPostgres } from './copy.ts'
import { diagnosePostgres } from './diagnose.ts'
import { withConnection } from './pool.ts'
import { type PostgresLocation, requireMeta } from './schema.ts'
import { openPostgresStore, preparePostgres } from './store.ts'

/** A database shared by many instances. */
export function postgresEngine(location: PostgresLocation): Engine {
  // Used only if the server asks for a password. Otherwise the driver would look for a file of passwords.
  Object.assign(pg.defaults, { password: refusePassword })
  return {
    prepare: (create, _observe, work) => preparePostgres(location, create, work),
    open: opening => openPostgresStore(location, opening),
    check: () => withConnection(location.database, {}, client => requireMeta(client, location)),
    read: work => readPostgres(location, work),
    fill: (mark, work) => fillPostgres(location, mark, work),
    mark: mark => markPostgres(location.database, mark),
    backUp: refuseBackup,
    recordBackup: refuseBackup,
    restore: refuseBackup,
    diagnose: () => diagnosePostgres(location),
  }
}

function refusePassword(): never {
  throw new InvalidInput('PostgreSQL asks for a password, and DATABASE_URL has none.')
}

/** The server's own tools already do this well. */
async function refuseBackup(): Promise<never> {
  throw new InvalidInput(
    'PostgreSQL makes its own backups: use pg_dump and pg_restore, or base backups with archived WAL to go back to any moment. Turn off a timer of petstore backup.',
  )
}
