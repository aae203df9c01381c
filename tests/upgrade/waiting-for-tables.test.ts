import { expect, test } from 'bun:test'
import pg from 'pg'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { query } from '../support/postgres/server.ts'
import { eventually } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'
import { fillWithSchemaFour } from './schema-four.ts'

/** The start times of the transactions in which our sessions wait for a lock. */
async function waits(databaseUrl: string): Promise<string[]> {
  const rows = await query<{ since: string }>(
    databaseUrl,
    `SELECT xact_start::text AS since FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'petstore' AND wait_event_type = 'Lock'`,
  )
  return rows.map(({ since }) => since)
}

test('a migration waits for a table in short tries, so that those behind it go on, and is made when the table is free', async () => {
  const databaseUrl = await freshPostgresUrl()
  await fillWithSchemaFour(databaseUrl, [{ keyId: 'k', key: 'old', petId: 1, ageMs: 0 }])
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  // Locks the table, like a dump or a slow report.
  await holder.query('BEGIN; LOCK TABLE idempotency IN SHARE MODE')
  const starting = startService({ databaseUrl })
  const tries = new Set<string>()
  await eventually('it has tried three times', async () => {
    for (const since of await waits(databaseUrl)) tries.add(since)
    return tries.size >= 3 || undefined
  })
  await holder.query('COMMIT')
  const service = await starting
  const [row] = await query<{ version: number }>(
    databaseUrl,
    'SELECT max(version) AS version FROM migrations',
  )
  expect(row?.version).toBeGreaterThanOrEqual(5)
  expect((await service.fetch('/v1/pets')).pets).toHaveLength(1)
  await holder.end()
  expect(await service.stop()).toBe(0)
})
