import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { pathOf } from '../../../support/process.ts'

/** The animals in an SQLite database, which must be intact, bypassing the service. Identifiers come as text. */
export function storedPets(databaseUrl: string): { id: string; name: string }[] {
  using database = new Database(pathOf(databaseUrl), { readwrite: true })
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const sql = 'SELECT CAST(id AS TEXT) AS id, name FROM pets ORDER BY pets.id'
  return database.query<{ id: string; name: string }, []>(sql).all()
}
