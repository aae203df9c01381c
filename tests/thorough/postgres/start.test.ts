import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pg from 'pg'
import { schemaVersion } from '../../../src/store/postgres/migrations/schema-state.ts'
import { freshPostgresUrl } from '../../support/postgres/engine.ts'
import { freshDatabaseUrl, PostgresServer, query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { makeEmptyStore } from '../../support/service/empty-store.ts'
import { startInstances } from '../../support/service/instances.ts'

const INSTANCES = 10

test('ten instances started at once on an empty database all come up and agree on its schema', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await startInstances(INSTANCES, { databaseUrl })
  const ready = await Promise.all(instances.map(instance => instance.fetch('/readyz')))
  expect(ready.map(({ status }) => status)).toEqual(Array(INSTANCES).fill(200))
  const versions = await query<{ version: number }>(databaseUrl, 'SELECT version FROM migrations ORDER BY 1')
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1))
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual(Array(INSTANCES).fill(0))
})

test('an instance waits for another that is busy with the schema instead of giving up', async () => {
  const databaseUrl = await freshPostgresUrl()
  const starting = query(databaseUrl, 'SELECT pg_advisory_lock(1346720851), pg_sleep(4)')
  const ran = await petstore(['keys', 'create', '--create', '--name', 'x'], { DATABASE_URL: databaseUrl })
  expect(ran).toMatchObject({ code: 0 })
  await starting
})

test('tables that another instance makes this very moment are not taken for those of another program', async () => {
  const databaseUrl = await freshPostgresUrl()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
  await makeEmptyStore(databaseUrl)
  expect(await schemaVersion(client)).toBe(0)
  await client.query('COMMIT')
  expect(await schemaVersion(client)).toBeGreaterThan(0)
  await client.end()
})

describe('an instance refuses to start, with a sentence,', () => {
  const refusal = async (databaseUrl: string, variables = {}, exit = 1): Promise<string> => {
    const { code, stdout, stderr } = await petstore(['serve', '--port=0'], {
      DATABASE_URL: databaseUrl,
      ...variables,
    })
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    return stderr
  }

  test('on a database of the other environment', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeEmptyStore(databaseUrl)
    expect(await refusal(databaseUrl, { PETSTORE_ENV: 'staging' })).toBe(
      'petstore: This database belongs to production; this is staging. It was not changed.\n',
    )
  })

  test('on a counter of no row or two, as doctor and --check say too, until the command it names was run', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeEmptyStore(databaseUrl)
    await query(databaseUrl, "INSERT INTO pets VALUES (7, 'Rex', 1, 'sold')")
    for (const [harm, rows] of [
      ['INSERT INTO pet_counter (last_id) VALUES (7)', 2],
      ['DELETE FROM pet_counter', 0],
    ] as const) {
      await query(databaseUrl, harm)
      const refused = await refusal(databaseUrl)
      expect(refused).toContain(`The table pet_counter has ${rows} rows instead of one`)
      const doctor = await petstore(['doctor'], { DATABASE_URL: databaseUrl })
      expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('pet_counter')])
      expect(await petstore(['serve', '--check'], { DATABASE_URL: databaseUrl })).toMatchObject({ code: 1 })
      await query(databaseUrl, refused.slice(refused.indexOf('WITH'), refused.lastIndexOf('.')))
      expect(await query(databaseUrl, 'SELECT last_id FROM pet_counter')).toEqual([{ last_id: '7' }])
      expect(await petstore(['serve', '--check'], { DATABASE_URL: databaseUrl })).toMatchObject({ code: 0 })
    }
  })

  test('on a database of a newer release', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeEmptyStore(databaseUrl)
    await query(
      databaseUrl,
      "INSERT INTO migrations VALUES (99, '0099-tomorrow', 0); UPDATE meta SET value = '99' WHERE name = 'readable_from'",
    )
    expect(await refusal(databaseUrl)).toMatch(
      /^petstore: This database was written by a newer release \(schema 99; this release knows \d+\)\. It was not changed\.\n$/,
    )
  })

  test('where the database cannot hold every name', async () => {
    const databaseUrl = new URL(await freshPostgresUrl())
    await query(
      databaseUrl.href,
      `CREATE DATABASE ${databaseUrl.pathname.slice(1)}_l1 TEMPLATE template0 ENCODING latin1`,
    )
    databaseUrl.pathname += '_l1'
    expect(await refusal(databaseUrl.href)).toBe(
      "petstore: The database's encoding is LATIN1; it must be UTF8 to keep every name.\n",
    )
  })

  describe('on a server of its own', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await PostgresServer.create({ fsync: 'off' })
    })
    afterAll(() => server.remove())

    test('where PostgreSQL does not flush to the disk', async () => {
      expect(await refusal(await freshDatabaseUrl(server.url()))).toBe(
        "petstore: PostgreSQL's fsync is off, so a power cut could lose animals.\n",
      )
    })

    test('where nothing listens', async () => {
      await server.stop()
      expect(await refusal(server.url(), {}, 5)).toMatch(
        /^petstore: The PostgreSQL database cannot be used: .*ECONNREFUSED.*\.\n$/,
      )
    })
  })

  test('where several hosts may include one that cannot be written to', async () => {
    expect(await refusal('postgres://a,b/animals?target_session_attrs=any', {}, 2)).toBe(
      'petstore: DATABASE_URL (--database-url) must have read-write or primary as target_session_attrs.\n',
    )
  })
})
