import { Database } from 'bun:sqlite'
import { freshPostgresUrl, holding, someoneWaits } from '../support/postgres.ts'
import { freshSqliteUrl, pathOf, start } from '../support/process.ts'
import { addKey, makeStore } from '../support/store.ts'

export type Place = 'sqlite' | 'postgres'

export const PLACES: readonly Place[] = ['sqlite', 'postgres']

/** In no message. The servers of tests ask for none. */
export const PASSWORD = 'h0rse-battery'

export async function fresh(place: Place): Promise<string> {
  if (place === 'sqlite') return freshSqliteUrl()
  return Object.assign(new URL(await freshPostgresUrl()), { password: PASSWORD }).href
}

/** The name of a database in messages. */
export const shownAs = (url: string): string => url.replace(/\/\/.*@/, '//')

/** Starts a copy of one animal and one key. It waits for a lock, by default after its animals, which is in the source or in the target. */
export async function heldCopy(
  target: string,
  { lock = 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE', inTarget = false } = {},
) {
  const source = await freshPostgresUrl()
  await makeStore(source, ['Rex'])
  await addKey(source, 'kept')
  const locked = inTarget ? target : source
  const { end: release } = await holding(locked, lock)
  const copy = ['copy', '--from', source, '--to', target]
  const started = start(copy)
  await someoneWaits(locked)
  return { source, copy, ...started, release }
}

export async function killedCopy(...held: Parameters<typeof heldCopy>) {
  const { source, copy, child, release } = await heldCopy(...held)
  child.kill('SIGKILL')
  await child.exited
  await release()
  return { source, copy }
}

/** Fills a new SQLite database with many animals and a few remembered requests, faster than over HTTP. */
export async function seedSqlite(databaseUrl: string, animals: number): Promise<void> {
  await makeStore(databaseUrl)
  using database = new Database(pathOf(databaseUrl), { strict: true, safeIntegers: true })
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO pets (name, category_id, status)
       SELECT 'Animal ' || i || ' 🐾', 9007199254740993 + i, iif(i % 3 = 0, 'sold', 'available') FROM n`,
    [BigInt(animals)],
  )
  database.run(
    `INSERT INTO idempotency (key_id, key, pet_id, created_at)
       SELECT 'key_' || (id % 7), iif(id % 3 = 0, 'Request ', 'request ') || id, id, ${Date.now()}
       FROM pets WHERE id % 100 = 0`,
  )
  database.run(
    `INSERT INTO api_keys (id, name, hint, hash, created_at, deprecated_calls, deprecated_call_at)
       SELECT 'key_' || i, 'Zoë', 'pets_live_…', 'hash ' || i, 1, 9007199254740993, 2
       FROM (SELECT DISTINCT id % 7 AS i FROM pets)`,
  )
}

/** Every row of the tables that a copy preserves, as one text. */
export function sqliteRows(databaseUrl: string): string {
  using database = new Database(pathOf(databaseUrl), { readonly: true, safeIntegers: true })
  return ['pets ORDER BY id', 'api_keys ORDER BY id', 'idempotency ORDER BY key_id, key', 'sqlite_sequence']
    .flatMap(table => database.query(`SELECT * FROM ${table}`).values())
    .map(row => row.map(String).join('\t'))
    .join('\n')
}
