import { expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { query } from '../support/postgres/server.ts'
import { petstore } from '../support/service/cli.ts'
import { eventually } from '../support/service/process.ts'
import { startProcess } from '../support/service/service-process.ts'

/** What a later release does to a database: adds a migration and a column, and says from which schema on it can be used. */
const newerRelease = (known: number, readableFrom: number): string =>
  `INSERT INTO migrations VALUES (${known + 1}, 'tomorrow', 0) ON CONFLICT DO NOTHING;
   ALTER TABLE pets ADD COLUMN IF NOT EXISTS tomorrow text;
   INSERT INTO meta VALUES ('readable_from', '${readableFrom}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`

test('across a change that only adds something, this release goes on and starts again beside a newer one, and across another it stops', async () => {
  const databaseUrl = await freshPostgresUrl()
  const running = await startProcess({ databaseUrl })
  const [row] = await query<{ known: number }>(databaseUrl, 'SELECT max(version) AS known FROM migrations')
  const known = row?.known ?? 0

  await query(databaseUrl, newerRelease(known, known))
  expect((await running.post(petJson({}))).status).toBe(201)
  const service = await running.restart()
  expect((await service.post(petJson({}))).status).toBe(201)
  expect((await service.fetch('/v1/pets')).pets).toHaveLength(2)
  const schema = `schema ${known + 1}, newer than the ${known} of this release`
  const examined = async () => (await petstore(['doctor'], { DATABASE_URL: databaseUrl })).stdout
  expect(await examined()).toContain(`${schema}, which can use it`)
  // An export by this release would omit what the newer one added.
  const copied = await petstore(['pets', 'export', '-'], { DATABASE_URL: databaseUrl })
  expect(copied.stderr).toContain('written by a newer release')

  await query(databaseUrl, newerRelease(known, known + 1))
  expect(await examined()).toContain(`${schema}, which cannot use it. Use the newer one`)
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain(`brought to schema ${known + 1} by a newer release`)
  await eventually('refused', async () => (await service.post(petJson({}))).status === 503 || undefined)
  const started = await petstore(['serve', '--port=0'], { DATABASE_URL: databaseUrl })
  expect(started.stderr).toContain(
    `written by a newer release (schema ${known + 1}; this release knows ${known})`,
  )
  expect(await service.stop()).toBe(0)
})
