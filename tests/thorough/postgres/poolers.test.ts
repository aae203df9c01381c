import { expect } from 'bun:test'
import pg from 'pg'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs, Pgbouncer } from '../../support/programs.ts'
import { type ServiceProcess, startInstances, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, describe, test } = needs('pgbouncer')

const ANIMALS = 300
/** Fewer than the instances open, so that consecutive transactions use different connections. */
const POOL_SIZE = 5
/** More than the pool has. */
const CALLERS = 8
/** On a machine that stalls for seconds, a few requests are refused when their time is over. */
const MOST_LATE = 20

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.create()
})
afterAll(() => server.remove())

describe('behind PgBouncer in transaction mode, with ?pgbouncer=true,', () => {
  let pooler: Pgbouncer
  let direct: string
  let databaseUrl: string
  let instances: ServiceProcess[]

  beforeAll(async () => {
    direct = await server.freshDatabaseUrl()
    const name = new URL(direct).pathname.slice(1)
    // A setting that the service must neither adopt nor change for others.
    await query(direct, `ALTER DATABASE ${name} SET synchronous_commit = off`)
    const settings = { pool_mode: 'transaction', default_pool_size: String(POOL_SIZE) }
    pooler = await Pgbouncer.before(server.port, settings)
    databaseUrl = `${pooler.url(direct)}?pgbouncer=true&connection_limit=6`
    instances = await startInstances(2, { databaseUrl })
  })
  afterAll(() => pooler.stop())

  test('two instances refuse nothing that the server answers in time, and lose nothing', async () => {
    let turn = 0
    const load = new Load(() => (instances[turn++ % 2] as ServiceProcess).url, CALLERS)
    const pages: number[] = []
    while (load.acknowledged.size < ANIMALS)
      for (const instance of instances)
        for (const target of ['/v1/pets?limit=100', '/v1/pets?status=available', '/v1/pets?status=sold'])
          pages.push((await instance.fetch(target)).status)
    await load.stop()
    const failures = instances.flatMap(({ output }) =>
      output.log.filter(({ event }) => event === 'request-failed').map(entry => JSON.stringify(entry)),
    )
    expect(failures.filter(failure => !failure.includes('timeout'))).toEqual([])
    expect(failures.length).toBeLessThanOrEqual(MOST_LATE)
    expect(pages.filter(status => status !== 200).length + load.unavailable).toBe(failures.length)
    expect(balance(load, await query(direct, 'SELECT id, name FROM pets'))).toEqual(BALANCED)
  })

  test('the commands work', async () => {
    const run = async (...args: string[]) => {
      const { code, stderr } = await petstore(args, { DATABASE_URL: databaseUrl })
      expect({ args, code, stderr }).toMatchObject({ code: 0 })
    }
    await run('keys', 'create', '--name', 'pooled')
    await run('keys', 'revoke', 'pooled', '--yes')
    const { stdout } = await petstore(['doctor'], { DATABASE_URL: databaseUrl })
    expect(stdout).toContain('every animal confirmed with 201 is on disk')
    const copied = await freshSqliteUrl()
    const another = pooler.url(await server.freshDatabaseUrl())
    await run('copy', '--from', databaseUrl, '--to', copied)
    await run('copy', '--from', copied, '--to', `${another}?pgbouncer=true`)
    expect(await query(another, 'SELECT count(*) FROM pets')).toEqual(
      await query(direct, 'SELECT count(*) FROM pets'),
    )
  })

  test('nothing of ours stays in a connection that others get next', async () => {
    expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
    const others = Array.from(
      { length: POOL_SIZE },
      () => new pg.Client({ connectionString: pooler.url(direct) }),
    )
    await Promise.all(others.map(other => other.connect()))
    const left = others.map(async other => {
      await other.query('BEGIN')
      const { rows } = await other.query(
        `SELECT current_setting('synchronous_commit') AS commits, current_setting('statement_timeout') AS timeout,
           (SELECT count(*)::integer FROM pg_prepared_statements) AS statements,
           (SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory') AS locks`,
      )
      return rows
    })
    const clean = { commits: 'off', timeout: '0', statements: 0, locks: 0 }
    expect(await Promise.all(left)).toEqual(Array(POOL_SIZE).fill([clean]))
    await Promise.all(others.map(other => other.end()))
  })
})

test('a pooler in transaction mode without ?pgbouncer=true is noticed, and the log says what to add', async () => {
  const direct = await server.freshDatabaseUrl()
  const mode = 'transaction\nignore_startup_parameters = options'
  const pooler = await Pgbouncer.before(server.port, { pool_mode: mode, default_pool_size: '3' })
  const service = await startProcess({ databaseUrl: pooler.url(direct) })
  const load = new Load(() => service.url, CALLERS)
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain('Add pgbouncer=true to DATABASE_URL')
  await load.stop()
  expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  expect(balance(load, await query(direct, 'SELECT id, name FROM pets'))).toEqual(BALANCED)
  await service.stop()
  await pooler.stop()
})
