import { resolve } from 'node:path'

/** What a DATABASE_URL names. */
export type Database = SqliteDatabase | PostgresDatabase

interface Named {
  /** For output: without user, password and parameters. */
  readonly publicName: string
}

export interface SqliteDatabase extends Named {
  readonly engine: 'sqlite'
  readonly path: string
}

/** Connections of a service to PostgreSQL. Each thread needs two for writes and health checks, and one or more for reads. */
export const CONNECTIONS = { perThread: 3, max: 1000, usual: 12 }

export interface PostgresDatabase extends Named {
  readonly engine: 'postgres'
  /** With the password. */
  readonly url: string
  /** The most connections that a service opens, if the URL or a setting says so. */
  readonly connections: number | undefined
  /** Whether the URL says that it leads to PgBouncer: nothing may outlive a transaction. */
  readonly pgbouncer: boolean
}

/** The share of one thread in the connections of its service. */
export const connectionsOf = (
  { connections = CONNECTIONS.usual }: PostgresDatabase,
  threads: number,
): number => Math.max(CONNECTIONS.perThread, Math.floor(connections / threads))

/** Names a database independently of the current folder. */
export const locationOf = (database: Database): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.publicName
