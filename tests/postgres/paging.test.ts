import { expect, test } from 'bun:test'
import { MEASURED, scrape } from '../support/metrics.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { atOnce, eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { addTo, makeStore, openStore } from '../support/store.ts'

test('PostgreSQL reads a full page once, and the last one once for a crowd while no animal is added', async () => {
  using service = await startService({ databaseUrl: await freshPostgresUrl(), variables: MEASURED })
  await service.addAnimals(3)
  const read = async () => (await service.fetch('/v1/pets')).text
  const first = await read()
  expect(new Set(await atOnce(300, read))).toEqual(new Set([first]))
  const full = () => service.fetch('/v1/pets?limit=2')
  for (const use of [full, () => service.add(), full]) await use()
  const page = await scrape(service)
  const counts = ['hit', 'miss'].map(result =>
    page.get(`petstore_cache_reads_total{operation="listPets",result="${result}"}`),
  )
  expect(counts).toEqual([301, 2])
})

/** The rows that PostgreSQL has read in scans of tables and of indexes. A session reports what it read when it ends. */
async function rowsRead(databaseUrl: string): Promise<{ scanned: number; indexed: number }> {
  await eventually('all other sessions have ended', async () => {
    const left = await query(databaseUrl, 'SELECT FROM pg_stat_activity WHERE datname = current_database()')
    return left.length === 1 || undefined
  })
  const sql = `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables
       WHERE relname IN ('pets', 'idempotency'))::integer AS scanned,
     (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'pets')::integer AS indexed`
  return (await query(databaseUrl, sql))[0] as { scanned: number; indexed: number }
}

test('a page of one status reads no animal of the others, in a plan for any value too', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl, ['Rex'])
  const others = "INSERT INTO pets SELECT i, 'x', 1, 'sold' FROM generate_series(2, 20000) AS i"
  await query(databaseUrl, `${others}; DELETE FROM recovered; ANALYZE pets`)
  const store = await openStore(databaseUrl)
  // After five executions of a statement, PostgreSQL may choose another plan.
  for (let n = 0; n < 40; n++)
    expect((await store.listPets({ after: 0n, limit: 20, status: 'available' })).lastId).toBe(1n)
  await store.close()
  const { scanned, indexed } = await rowsRead(databaseUrl)
  expect(scanned + indexed).toBeWithin(40, 1000)
})

test('a plan made for tables that were empty, and analysed so, does not read the whole of them once they have grown', async () => {
  const databaseUrl = await freshPostgresUrl()
  const store = await openStore(databaseUrl)
  await query(databaseUrl, 'VACUUM ANALYZE')
  const addTen = async (round: string): Promise<void> => {
    for (let n = 0; n < 10; n++) await addTo(store, 'Rex', `${round} ${n}`)
  }
  await addTen('before')
  const sql = `ALTER TABLE pets SET (autovacuum_enabled = off); ALTER TABLE idempotency SET (autovacuum_enabled = off);
   INSERT INTO pets SELECT n, 'x', 1, 'sold' FROM generate_series(1000, 20000) AS n;
   INSERT INTO idempotency SELECT 'old', n::text, n, 0 FROM generate_series(1000, 20000) AS n`
  await query(databaseUrl, sql)
  await addTen('after')
  await store.close()
  expect((await rowsRead(databaseUrl)).scanned).toBe(0)
})
