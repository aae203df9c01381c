import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { query } from '../support/postgres/server.ts'
import { engines } from '../support/service/engines.ts'
import { scrape, startMeasured } from '../support/service/metrics.ts'
import { eventually } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'
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
/** On a machine that does other things besides; a clean-up in one go took minutes of it. */
const SLOWEST_MS = 5000
const LONGEST_GAP_MS = figure(5000, 2000)

test.each(engines.map(engine => [engine.name, engine] as const))(
  'keys past their 24 hours are forgotten on %s while others are being stored, and no request waits for it',
  async (name, engine) => {
    const databaseUrl = await engine.freshDatabaseUrl()
    await (await startService({ databaseUrl })).stop()
    const count = EXPIRED[name] as number
    await fill(databaseUrl, count, Date.now() - DAY_MS - 3_600_000)
    await fill(databaseUrl, KEPT, Date.now() - DAY_MS / 2)
    const service = await startMeasured({ databaseUrl })
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

/** Requests as they would have been remembered, around a time. */
async function fill(databaseUrl: string, count: number, around: number): Promise<void> {
  if (!databaseUrl.startsWith('sqlite:')) {
    await query(
      databaseUrl,
      `INSERT INTO idempotency (key_id, key, pet_id, name, category_id, status, created_at)
       SELECT 'key_1', gen_random_uuid(), n, 'n', 1, 'sold', ${around} + n / 300 FROM generate_series(1, ${count}) AS n`,
    )
    return
  }
  const database = new Database(pathOf(databaseUrl))
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO idempotency (key_id, key, pet_id, created_at)
     SELECT 'key_1', hex(randomblob(16)), n, ${around} + n / 300 FROM numbers`,
  )
  database.close()
}

async function remaining(databaseUrl: string): Promise<number> {
  const [found] = await rows<{ count: string }>(
    databaseUrl,
    `SELECT CAST(count(*) AS TEXT) AS count FROM (SELECT 1 FROM idempotency WHERE created_at <= ${Date.now() - DAY_MS} LIMIT 1) AS left_over`,
  )
  return Number(found?.count)
}
