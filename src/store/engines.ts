import type { Environment } from '../contract/servers.ts'
import type { Database } from './database.ts'
import type { Engine } from './engine.ts'
import { postgresEngine } from './postgres/engine.ts'
import { sqliteEngine } from './sqlite/engine.ts'

interface Place {
  readonly database: Database
  readonly environment: Environment
}

/** Returns the engine of a database. The only place that names them all. */
export const engineOf = ({ database, environment }: Place): Engine =>
  database.engine === 'sqlite' ? sqliteEngine(database, environment) : postgresEngine(database, environment)
