import type { Environment } from '../contract/servers.ts'
import type { Database } from './database.ts'
import type { Engine } from './engine.ts'
import { postgresEngine } from './postgres/engine.ts'
import { sqliteEngine } from './sqlite/engine.ts'

/** Returns the engine of a database. The only place that names them all. */
export const engineOf = ({
  database,
  environment,
}: {
  readonly database: Database
  readonly environment: Environment
}): Engine =>
  database.engine === 'sqlite' ? sqliteEngine(database, environment) : postgresEngine(database, environment)
