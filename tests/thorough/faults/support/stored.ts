import { Database } from 'bun:sqlite'
import { query } from '../../../support/postgres/server.ts'

export interface StoredPet {
  readonly id: string
  readonly name: string
  readonly category_id: string
  readonly status: string
}

export const pathOf = (databaseUrl: string): string => databaseUrl.replace('sqlite:', '')

/** Reads rows directly from the database, bypassing the service. Numbers come as decimal text. */
export async function rows<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  if (!databaseUrl.startsWith('sqlite:')) return query<Row>(databaseUrl, sql)
  const database = new Database(pathOf(databaseUrl), { readonly: true })
  try {
    return database.query<Row, []>(sql).all()
  } finally {
    database.close()
  }
}

export const storedPets = (databaseUrl: string, after = 0n): Promise<StoredPet[]> =>
  rows<StoredPet>(
    databaseUrl,
    `SELECT CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS category_id, status FROM pets WHERE id > ${after} ORDER BY pets.id`,
  )

/** Adds animals to an SQLite database directly. */
export function fill(path: string, count: number): void {
  const database = new Database(path)
  database.run(
    `INSERT INTO pets (name, category_id, status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT 'animal ' || i, i, 'sold' FROM n WHERE ?1 > 0`,
    [count],
  )
  database.close()
}

/** `ok`, or the problems that SQLite finds. PostgreSQL has no such check. */
export async function integrity(databaseUrl: string): Promise<string> {
  if (!databaseUrl.startsWith('sqlite:')) return 'ok'
  const found = await rows<{ integrity_check: string }>(databaseUrl, 'PRAGMA integrity_check')
  return found.map(({ integrity_check }) => integrity_check).join('; ')
}
