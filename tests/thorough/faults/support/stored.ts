import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { query } from '../../../support/postgres.ts'
import { pathOf } from '../../../support/process.ts'

interface StoredPet {
  readonly id: string
  readonly name: string
  readonly category_id: string
  readonly status: string
}

/** Reads directly from the database, bypassing the service. Numbers come as decimal text. */
export async function storedPets(databaseUrl: string): Promise<StoredPet[]> {
  const sql =
    'SELECT CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS category_id, status FROM pets ORDER BY pets.id'
  if (!databaseUrl.startsWith('sqlite:')) return query<StoredPet>(databaseUrl, sql)
  using database = new Database(pathOf(databaseUrl), { readonly: true })
  return database.query<StoredPet, []>(sql).all()
}

/** Adds animals to an SQLite database directly. */
export function fill(path: string, count: number): void {
  using database = new Database(path)
  database.run(
    `INSERT INTO pets (name, category_id, status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT 'animal ' || i, i, 'sold' FROM n WHERE ?1 > 0`,
    [count],
  )
}

/** `ok`, or the problems that SQLite finds. PostgreSQL has no such check. */
export async function integrity(databaseUrl: string): Promise<string> {
  if (!databaseUrl.startsWith('sqlite:')) return 'ok'
  using database = new Database(pathOf(databaseUrl), { readonly: true })
  return database.query('PRAGMA integrity_check').values().join('; ')
}

/** The number of animals in an SQLite database, which must be intact. */
export function animalsInWhole(path: string): number {
  using database = new Database(path, { readwrite: true })
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  return (database.query('SELECT count(*) AS count FROM pets').get() as { count: number }).count
}
