import { resolve } from 'node:path'

/** The database that a DATABASE_URL specifies. */
export type Database = SqliteDatabase | PostgresDatabase

export interface SqliteDatabase {
  readonly engine: 'sqlite'
  readonly publicName: string
  readonly path: string
}

/** Connections of a service to PostgreSQL. Each thread needs one each for writes, checks, keys and reads; a fifth is for writes too. */
export const CONNECTIONS = { perThread: 4, max: 1000, usual: 12 }

export interface PostgresDatabase {
  readonly engine: 'postgres'
  /** The name for output, without user, password and parameters. */
  readonly publicName: string
  /** Includes the password. */
  readonly url: string
  /** Maximum number of connections that a service opens, if the URL sets it. */
  readonly connections: number | undefined
  /** Whether the URL says that this is PgBouncer, where nothing may outlive a transaction. */
  readonly pgbouncer: boolean
}

/** One thread's share of its service's connections. */
export const connectionsOf = (
  { connections = CONNECTIONS.usual }: PostgresDatabase,
  threads: number,
): number => Math.max(CONNECTIONS.perThread, Math.floor(connections / threads))

/** Identifies a database independently of the current folder. */
export const locationOf = (database: Database): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.publicName
