import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { query } from '../../support/postgres/server.ts'
import { engines } from '../../support/service/engines.ts'
import { scrape, startMeasuredProcess } from '../../support/service/metrics.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, measured, TIMEOUT_MS } from './support/form.ts'
import { SteadyWrites } from './support/steady-writes.ts'
import { pathOf, rows } from './support/stored.ts'

const EXPIRED: Readonly<Record<string, number>> = {
  sqlite: figure(60_000, 1_000_000),
  postgres: figure(60_000, 2_000_000),
}
const KEPT = figure(20_000, 1_000_000)
const A_SECOND = figure(50, 300)
const DAY_MS = 24 * 60 * 60 * 1000
/** Allows for other load on the machine; deleting everything at once took minutes there. */
const SLOWEST_MS = 5000
const LONGEST_GAP_MS = figure(5000, 2000)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'keys past their 24 hours are forgotten on %s while others are being stored, and no request waits for it',
  async (name, engine) => {
    const databaseUrl = await engine.freshDatabaseUrl()
    await (await startProcess({ databaseUrl })).stop()
    const count = EXPIRED[name] as number
    await fill(databaseUrl, count, Date.now() - DAY_MS - 3_600_000)
    await fill(databaseUrl, KEPT, Date.now() - DAY_MS / 2)
    const service = await startMeasuredProcess({ databaseUrl })
    const expired = async () =>
      (await scrape(service.metricsUrl)).get('petstore_idempotency_keys_expired') ?? 0
    const writes = new SteadyWrites(service.url, A_SECOND)
    await eventually('housekeeping has begun', async () => (await expired()) > 0 || undefined, 30_000)
    const since = performance.now()
    const p99Before = writes.quantile(0.99)
    writes.startAgain()
    await eventually(
      'all are forgotten',
      async () => (await remaining(databaseUrl)) === 0 || undefined,
      TIMEOUT_MS,
    )
    const seconds = (performance.now() - since) / 1000
    const [p99, slowest, gap] = [writes.quantile(0.99), Math.max(...writes.tookMs), writes.longestGapMs]
    await eventually('the metric says so', async () => (await expired()) === 0 || undefined)
    await writes.stop()
    expect(writes.refused).toEqual([])
    expect(slowest).toBeLessThan(SLOWEST_MS)
    expect(gap).toBeLessThan(LONGEST_GAP_MS)
    const [kept] = await rows<{ count: string }>(
      databaseUrl,
      'SELECT CAST(count(*) AS TEXT) AS count FROM idempotency',
    )
    expect(Number(kept?.count)).toBeGreaterThanOrEqual(KEPT)
    expect(service.output.log.filter(({ event }) => event === 'background-task-failed')).toEqual([])
    expect(await service.stop()).toBe(0)
    measured(
      `housekeeping on ${name}`,
      `${count} keys forgotten in ${seconds.toFixed(1)} s (${Math.round(count / seconds)} a second) while ${A_SECOND} animals a second were added: p99 ${Math.round(p99)} ms (${Math.round(p99Before)} ms before it began), slowest ${Math.round(slowest)} ms, ${Math.round(gap)} ms at most between two 201s, 0 refused`,
    )
  },
)

test('housekeeping that fails is logged and counted, and succeeds when it can', async () => {
  await Promise.all(
    engines.map(async ({ freshDatabaseUrl }) => {
      const databaseUrl = await freshDatabaseUrl()
      await (await startProcess({ databaseUrl })).stop()
      await fill(databaseUrl, 3, Date.now() - DAY_MS - 3_600_000)
      await refuseDeletes(databaseUrl)
      const service = await startMeasuredProcess({ databaseUrl })
      const figureOf = async (name: string) => (await scrape(service.metricsUrl)).get(name)
      const failed = await service.output.entry(({ event }) => event === 'background-task-failed')
      expect(failed).toMatchObject({ task: 'forgetting old idempotency keys' })
      expect(await figureOf('petstore_background_failures_total')).toBeGreaterThan(0)
      expect(await figureOf('petstore_idempotency_keys_expired')).toBe(3)
      await change(databaseUrl, dropRefusal(databaseUrl))
      await eventually(
        'they are forgotten',
        async () => (await remaining(databaseUrl)) === 0 || undefined,
        30_000,
      )
      expect(await service.stop()).toBe(0)
    }),
  )
})

const isSqlite = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:')

/** Makes deletes fail, as a damaged page or a missing permission would. */
async function refuseDeletes(databaseUrl: string): Promise<void> {
  const statements = isSqlite(databaseUrl)
    ? ["CREATE TRIGGER refusal BEFORE DELETE ON idempotency BEGIN SELECT RAISE(ABORT, 'refused'); END"]
    : [
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
        'CREATE TRIGGER refusal BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION refuse()',
      ]
  for (const statement of statements) await change(databaseUrl, statement)
}

const dropRefusal = (databaseUrl: string): string =>
  `DROP TRIGGER refusal${isSqlite(databaseUrl) ? '' : ' ON idempotency'}`

/** Adds remembered requests around a point in time. */
const fill = (databaseUrl: string, count: number, around: number): Promise<void> =>
  change(
    databaseUrl,
    isSqlite(databaseUrl)
      ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
         INSERT INTO idempotency (key_id, key, pet_id, created_at)
         SELECT 'key_1', hex(randomblob(16)), n, ${around} + n / 300 FROM numbers`
      : `INSERT INTO idempotency (key_id, key, pet_id, name, category_id, status, created_at)
         SELECT 'key_1', gen_random_uuid(), n, 'n', 1, 'sold', ${around} + n / 300 FROM generate_series(1, ${count}) AS n`,
  )

async function change(databaseUrl: string, sql: string): Promise<void> {
  if (!isSqlite(databaseUrl)) {
    await query(databaseUrl, sql)
    return
  }
  using database = new Database(pathOf(databaseUrl))
  database.run(sql)
}

async function remaining(databaseUrl: string): Promise<number> {
  const [found] = await rows<{ count: string }>(
    databaseUrl,
    `SELECT CAST(count(*) AS TEXT) AS count FROM (SELECT 1 FROM idempotency WHERE created_at <= ${Date.now() - DAY_MS} LIMIT 1) AS left_over`,
  )
  return Number(found?.count)
}
