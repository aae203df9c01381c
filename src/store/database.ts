import { resolve } from 'node:path'

/** What a DATABASE_URL names. */
export type Database = SqliteDatabase | PostgresDatabase

interface Named {
  /** As people may see it: without user, password and parameters. */
  readonly publicName: string
}

export interface SqliteDatabase extends Named {
  readonly engine: 'sqlite'
  readonly path: string
}

/** Of a service to PostgreSQL: two to write and to tell whether the database answers, the rest to read. */
export const CONNECTIONS = { min: 3, max: 1000, usual: 12 }

export interface PostgresDatabase extends Named {
  readonly engine: 'postgres'
  /** One connection string for each host, in the order of the URL. They hold the password. */
  readonly urls: readonly string[]
  /** Whether only a host that takes writes will do. */
  readonly readWrite: boolean
  /** How many connections a service opens at most, where the URL or a setting says so. */
  readonly connections: number | undefined
  /** Whether a pooler may stand in between, as the URL says; otherwise it is found out. */
  readonly pooler: boolean | undefined
  /** Where the tables are, if the URL says so. */
  readonly schema: string | undefined
}

/** Where people find a database, from any folder. */
export const locationOf = (database: Database): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.publicName

export const isSameDatabase = (one: Database, other: Database): boolean =>
  placesOf(one).join() === placesOf(other).join()

const placesOf = (database: Database): readonly string[] =>
  database.engine === 'sqlite' ? [resolve(database.path)] : database.urls
