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

export interface PostgresDatabase extends Named {
  readonly engine: 'postgres'
  /** One connection string for each host, in the order of the URL. They hold the password. */
  readonly urls: readonly string[]
  /** Whether only a host that takes writes will do. */
  readonly readWrite: boolean
}

/** Where people find a database, from any folder. */
export const placeOf = (database: Database): string =>
  database.engine === 'sqlite' ? resolve(database.path) : database.publicName

export const isSameDatabase = (one: Database, other: Database): boolean =>
  placesOf(one).join() === placesOf(other).join()

const placesOf = (database: Database): readonly string[] =>
  database.engine === 'sqlite' ? [resolve(database.path)] : database.urls
