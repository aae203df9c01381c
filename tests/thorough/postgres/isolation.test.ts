import { afterAll, beforeAll, expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../../support/http/exact.ts'
import { PostgresServer, query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { startInstances } from '../../support/service/instances.ts'
import { eventually } from '../../support/service/process.ts'
import type { Service } from '../../support/service/service.ts'

const WRITERS = 8
const ANIMALS_EACH = 25

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.create({ deadlock_timeout: '500ms' })
})
afterAll(() => server.remove())

const settingOf = (databaseUrl: string, setting: string): string =>
  `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET ${setting}`

test.each(['repeatable read', 'serializable'])(
  'where the default isolation of a database is %s, three instances that add animals at once refuse none',
  async isolation => {
    const databaseUrl = await server.freshDatabaseUrl()
    await query(databaseUrl, settingOf(databaseUrl, `default_transaction_isolation = '${isolation}'`))
    const instances = await startInstances(3, { databaseUrl })
    const statuses: number[] = []
    const write = async (instance: Service): Promise<void> => {
      for (let n = 0; n < ANIMALS_EACH; n++) statuses.push((await instance.post(petJson({}))).status)
    }
    await Promise.all(instances.flatMap(instance => Array.from({ length: WRITERS }, () => write(instance))))
    expect(statuses.filter(status => status !== 201)).toEqual([])
    expect(statuses).toHaveLength(3 * WRITERS * ANIMALS_EACH)
    expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0, 0])
  },
)

test('a creation that the server takes back to end a deadlock is stored all the same, once', async () => {
  const databaseUrl = await server.freshDatabaseUrl()
  await query(databaseUrl, settingOf(databaseUrl, "deadlock_timeout = '100ms'"))
  const [service] = await startInstances(1, { databaseUrl })
  if (service === undefined) throw new Error('no service')
  // Forces a deadlock: the other session holds a row that the create needs after the counter, and then waits for the counter.
  await query(
    databaseUrl,
    `CREATE TABLE gate (n integer); INSERT INTO gate VALUES (0);
     CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       WHILE (SELECT n FROM gate) = 0 AND NOT EXISTS
         (SELECT FROM pg_stat_activity WHERE application_name = 'other' AND wait_event_type = 'Lock')
       LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
       UPDATE gate SET n = n + 1; RETURN NULL; END $$;
     CREATE TRIGGER pass AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION pass()`,
  )
  const other = new pg.Client({ connectionString: databaseUrl, application_name: 'other' })
  await other.connect()
  // The other session checks for a deadlock later, so that the server aborts the service's transaction.
  await other.query("SET deadlock_timeout = '30s'; BEGIN; UPDATE gate SET n = 1")
  const added = service.post(petJson({ name: 'both' }))
  await eventually('the creation has the counter', async () => {
    const [row] = await server.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = 'petstore'",
    )
    return row
  })
  await other.query('UPDATE pet_counter SET last_id = last_id; COMMIT')
  expect((await added).status).toBe(201)
  expect((await service.fetch('/v1/pets')).pets).toHaveLength(1)
  await other.end()
  expect(await service.stop()).toBe(0)
  await eventually('the deadlock is counted', async () => {
    const [row] = await query<{ deadlocks: string }>(
      databaseUrl,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(row?.deadlocks) > 0 || undefined
  })
})

test('synchronous_commit local is refused where synchronous standbys are named', async () => {
  const databaseUrl = await server.freshDatabaseUrl()
  server.configure({ synchronous_standby_names: 'second' })
  await server.query('SELECT pg_reload_conf()')
  await query(
    databaseUrl,
    `SET synchronous_commit = local; ${settingOf(databaseUrl, 'synchronous_commit = local')}`,
  )
  const sentence = /synchronous_commit is local, but synchronous_standby_names names standbys/
  const started = await petstore(['serve', '--port=0'], { DATABASE_URL: databaseUrl })
  expect(started).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
  const examined = await petstore(['doctor'], { DATABASE_URL: databaseUrl })
  expect(examined).toMatchObject({ code: 1, stdout: expect.stringMatching(sentence) })
})
