import { afterAll, beforeAll } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { freshSqliteUrl } from '../support/folder.ts'
import { PostgresServer } from '../support/postgres.ts'

export type Place = 'sqlite' | 'postgres'

export const PLACES: readonly Place[] = ['sqlite', 'postgres']

export const DIRECTIONS: readonly (readonly [Place, Place])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
]

export interface Databases {
  /** The DATABASE_URL of a new, empty database. */
  fresh(place: Place): Promise<string>
  /** Runs SQL in a PostgreSQL database, behind the back of the program. */
  query<Row extends Record<string, unknown>>(databaseUrl: string, sql: string): Promise<Row[]>
}

/** A PostgreSQL server for the tests of one file, and folders for SQLite. */
export function databases(): Databases {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.create()
  }, 60_000)
  afterAll(() => server.remove())
  return {
    fresh: async place => {
      if (place === 'sqlite') return freshSqliteUrl()
      const name = `copy_${randomBytes(6).toString('hex')}`
      await server.query(`CREATE DATABASE ${name}`)
      return server.url(name)
    },
    query: (databaseUrl, sql) => server.query(sql, nameOf(databaseUrl)),
  }
}

export const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1)
