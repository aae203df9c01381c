import pg from 'pg'
import { freshPostgresUrl } from '../support/postgres.ts'
import { freshSqliteUrl } from '../support/process.ts'

export type Place = 'sqlite' | 'postgres'

export const PLACES: readonly Place[] = ['sqlite', 'postgres']

export const DIRECTIONS: readonly (readonly [Place, Place])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
]

export const fresh = (place: Place): Promise<string> =>
  place === 'sqlite' ? freshSqliteUrl() : freshPostgresUrl()

/** Runs SQL in a PostgreSQL database, bypassing the program. */
export async function query<Row extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
