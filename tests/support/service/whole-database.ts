import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'

/** How many animals an SQLite database has, which must be whole. */
export function animalsInWhole(path: string): number {
  const database = new Database(path, { readwrite: true })
  try {
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return (database.query('SELECT count(*) AS count FROM pets').get() as { count: number }).count
  } finally {
    database.close()
  }
}
