import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { sealCursor } from '../../../src/api/cursor.ts'
import { MEASURED, scrape } from '../../support/metrics.ts'
import { freshPostgresUrl, query } from '../../support/postgres.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { engines, makeStore, type ServiceProcess, startProcess } from '../../support/service.ts'

/** All sold animals come first, so only others follow their last page. */
const SOLD = 30_000
const ANIMALS = 100_000
const ON_LAST_PAGE = 5
const STATUS_OF = `CASE WHEN i <= ${SOLD} THEN 'sold' ELSE 'available' END`
const SECRET = "SELECT value FROM meta WHERE name = 'cursor_secret'"
/** PostgreSQL may switch to a generic plan after five executions of a statement. */
const PAGES = 40

const lastPage = (secret: string, limit: number): string =>
  `/v1/pets?status=sold&limit=${limit}&cursor=${sealCursor({ after: BigInt(SOLD - ON_LAST_PAGE), status: 'sold' }, secret)}`

/** Each page has a different limit, so that none is cached. */
async function readPages(service: ServiceProcess, pageOf: (limit: number) => string, expected?: number) {
  for (let limit = 20; limit < 20 + PAGES; limit++) {
    const { pets } = await service.fetch(pageOf(limit))
    expect(pets).toHaveLength(expected ?? limit)
  }
}

describe.if(engines.some(({ name }) => name === 'postgres'))('on PostgreSQL', () => {
  let databaseUrl = ''
  let secret = ''
  beforeAll(async () => {
    databaseUrl = await freshPostgresUrl()
    await makeStore(databaseUrl)
    const sql = `INSERT INTO pets SELECT i, 'x', 1, ${STATUS_OF} FROM generate_series(1, ${ANIMALS}) AS i;
     SELECT setval('pet_ids', ${ANIMALS}); DELETE FROM durable; ANALYZE pets`
    await query(databaseUrl, sql)
    secret = (await query<{ value: string }>(databaseUrl, SECRET))[0]?.value ?? ''
  })

  /** The rows read from the table, by index or by sequential scan. */
  const rowsRead = async (): Promise<number> => {
    const sql = `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'pets')
       + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'pets') AS read`
    const [row] = await query<{ read: string }>(databaseUrl, sql)
    return Number(row?.read)
  }

  test.each(['auto', 'force_custom_plan', 'force_generic_plan'])(
    'a filtered last page reads its own animals only, with plan_cache_mode %s',
    async mode => {
      const sql = `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET plan_cache_mode = ${mode}`
      await query(databaseUrl, sql)
      const before = await rowsRead()
      const service = await startProcess({ databaseUrl })
      await readPages(service, limit => lastPage(secret, limit), ON_LAST_PAGE)
      expect(await service.stop()).toBe(0)
      // The server reports what a connection read when the connection ends.
      const read = await eventually(
        'PostgreSQL has counted',
        async () => (await rowsRead()) - before || undefined,
      )
      expect(read).toBeLessThanOrEqual(PAGES * (ON_LAST_PAGE + 2))
    },
  )
})

describe.if(engines.some(({ name }) => name === 'sqlite'))('on SQLite', () => {
  test('a filtered last page costs no more than a first one, with and without figures for the planner', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeStore(databaseUrl)
    using database = new Database(databaseUrl.slice('sqlite:'.length))
    database.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ANIMALS})
      INSERT INTO pets (id, name, category_id, status) SELECT i, 'x', 1, ${STATUS_OF} FROM n`)
    const secret = database.query<{ value: string }, []>(SECRET).get()?.value ?? ''
    for (const prepare of ['SELECT 1', 'ANALYZE']) {
      database.run(prepare)
      const service = await startProcess({ databaseUrl, variables: MEASURED })
      const cpuSeconds = async () => (await scrape(service)).get('process_cpu_seconds_total') ?? Number.NaN
      // In processor time, which other processes do not lengthen.
      const used = async (read: () => Promise<void>): Promise<number> => {
        const before = await cpuSeconds()
        await read()
        return (await cpuSeconds()) - before
      }
      const first = await used(() => readPages(service, limit => `/v1/pets?status=sold&limit=${limit}`))
      const last = await used(() => readPages(service, limit => lastPage(secret, limit), ON_LAST_PAGE))
      expect(last).toBeLessThan(2 * first + 0.05)
      expect(await service.stop()).toBe(0)
    }
  })
})
