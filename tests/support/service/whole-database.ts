import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'

/** The number of animals in an SQLite database, which must be intact. */
export function animalsInWhole(path: string): number {
  const database = new Database(path, { readwrite: true })
  try {
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return (database.query('SELECT count(*) AS count FROM pets').get() as { count: number }).count
  } finally {
    database.close()
  }
}
