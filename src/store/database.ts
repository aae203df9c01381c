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

/** Connections of a service to PostgreSQL: two for writes and health checks, the rest for reads. */
export const CONNECTIONS = { min: 3, max: 1000, usual: 12 }

export interface PostgresDatabase extends Named {
  readonly engine: 'postgres'
  /** One connection string per host, in the order of the URL. They contain the password. */
  readonly urls: readonly string[]
  /** Whether the host must accept writes. */
  readonly readWrite: boolean
  /** The most connections that a service opens, if the URL or a setting says so. */
  readonly connections: number | undefined
  /** Whether there may be a pooler, if the URL says so; otherwise it is detected. */
  readonly pooler: boolean | undefined
  /** The schema of the tables, if the URL names one. */
  readonly schema: string | undefined
  /** Its standbys, where pages may be read, if a setting names them. */
  readonly replicas: PostgresDatabase | undefined
}

/** Names a database independently of the current folder. */
export const locationOf = (database: Database): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.publicName

export const isSameDatabase = (one: Database, other: Database): boolean =>
  placesOf(one).join() === placesOf(other).join()

const placesOf = (database: Database): readonly string[] =>
  database.engine === 'sqlite' ? [resolve(database.path)] : database.urls
