import { describe, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { ADD_LOCK, freshPostgresUrl, holding, query, someoneWaits } from '../support/postgres.ts'
import { atOnce } from '../support/process.ts'
import { expectRefused } from '../support/refused.ts'
import { startService } from '../support/service.ts'
import { addKey, addTo, engineAt, makeStore, openStore } from '../support/store.ts'

const INSTANCES = 10
const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1)

test('ten instances that open an empty database at once agree on its schema and its secret', async () => {
  const databaseUrl = await freshPostgresUrl()
  const stores = await atOnce(INSTANCES, () => engineAt(databaseUrl).open({ create: true }))
  expect(new Set(stores.map(({ cursorSecret }) => cursorSecret)).size).toBe(1)
  await Promise.all(stores.map(store => store.ping()))
  await Promise.all(stores.map(store => store.close()))
})

test('an instance that disappears while it makes the schema does not lock out others', async () => {
  const databaseUrl = await freshPostgresUrl()
  const sql = `CREATE TABLE seen (setting text);
   CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO seen VALUES (current_setting('idle_in_transaction_session_timeout')); END $$;
   CREATE EVENT TRIGGER note ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION note()`
  await query(databaseUrl, sql)
  await makeStore(databaseUrl)
  expect(await query(databaseUrl, 'SELECT DISTINCT setting FROM seen')).toEqual([{ setting: '10s' }])
})

test('a service uses no more connections than its limit, the main thread included', async () => {
  const databaseUrl = await freshPostgresUrl()
  const key = await addKey(databaseUrl, 'looked up')
  const service = await startService({ databaseUrl: `${databaseUrl}?connection_limit=4` })
  await atOnce(50, n => service.fetch(`/v1/pets?limit=${n + 1}`, { key }))
  await atOnce(50, () => service.post(petJson({})))
  const own =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore'"
  expect((await query(databaseUrl, own)).length).toBeWithin(1, 5)
  service.discard()
})

test('a copy waits for an animal that is being added', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl)
  await using adding = await holding(databaseUrl, ADD_LOCK)
  const engine = engineAt(databaseUrl)
  const marking = engine.mark({ role: 'source', other: 'elsewhere' })
  const copying = marking.then(() => engine.read(source => Array.fromAsync(source.rows('pets'))))
  await someoneWaits(databaseUrl)
  await adding.holder.query("INSERT INTO pets VALUES (1, 'Rex', 1, 'sold'); COMMIT")
  expect((await copying).flat()).toEqual([{ id: '1', name: 'Rex', category_id: '1', status: 'sold' }])
})

describe('a database is refused in a sentence, by opening and checking alike,', () => {
  test('where the URL names nothing that is there, or a role that may not do it', async () => {
    const databaseUrl = await freshPostgresUrl()
    const { host } = new URL(databaseUrl)
    const reader = `reader_${crypto.randomUUID().slice(0, 8)}`
    await query(databaseUrl, `CREATE ROLE ${reader} LOGIN`)
    const as = (role: string) => Object.assign(new URL(databaseUrl), { username: role }).href
    for (const [url, exit, sentence] of [
      ['postgres://127.0.0.1:1/animals', 'unavailable', 'ECONNREFUSED 127.0.0.1:1. Is PostgreSQL running'],
      [
        'postgres://u:canary@127.0.0.1:1/animals?sslrootcert=/proc/self/mem',
        'unavailable',
        'A certificate for postgres://127.0.0.1:1/animals cannot be read: it is on a disk that',
      ],
      [
        databaseUrl.replace(nameOf(databaseUrl), 'nowhere'),
        'missing',
        `postgres://${host}/nowhere cannot be used: database "nowhere" does not exist. Create it with: createdb --encoding=UTF8 --template=template0 NAME`,
      ],
      [as('nobody'), 'invalid', 'cannot be used: role "nobody" does not exist. Correct the user'],
      [as(reader), 'refused', 'cannot be used: permission denied for schema public. Grant it as'],
      [
        `${databaseUrl}?options=-c%20search_path%3Delsewhere`,
        'refused',
        "The schema in the role's search_path does not exist",
      ],
    ] as const)
      await expectRefused(url, exit, sentence)
  })

  test('where it cannot hold every name', async () => {
    const databaseUrl = await freshPostgresUrl()
    await query(databaseUrl, `CREATE DATABASE ${nameOf(databaseUrl)}_l1 TEMPLATE template0 ENCODING latin1`)
    await expectRefused(`${databaseUrl}_l1`, 'refused', "The database's encoding must be UTF8")
  })

  test('where its default isolation, its environment or its schema is another', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeStore(databaseUrl)
    const set = `ALTER DATABASE ${nameOf(databaseUrl)} SET default_transaction_isolation =`
    for (const isolation of ['repeatable read', 'serializable']) {
      await query(databaseUrl, `${set} '${isolation}'`)
      await expectRefused(databaseUrl, 'refused', 'default_transaction_isolation must be read committed')
    }
    await query(databaseUrl, `${set} 'read committed'`)
    for (const [name, value, sentence] of [
      ['schema_version', '6', 'written by a newer release (schema 6; this release knows 1).'],
      ['environment', 'staging', 'This database belongs to staging; this is production.'],
    ]) {
      await query(databaseUrl, `UPDATE meta SET value = '${value}' WHERE name = '${name}'`)
      await expectRefused(databaseUrl, 'refused', `${sentence} It was not changed.`)
    }
  })

  test('where another program has a table of that name', async () => {
    const databaseUrl = await freshPostgresUrl()
    for (const [name, columns] of [
      ['pets', 'owner text'],
      ['meta', 'id integer'],
      ['meta', 'name text PRIMARY KEY, value text'],
    ]) {
      await query(databaseUrl, `CREATE TABLE ${name} (${columns})`)
      await expectRefused(databaseUrl, 'refused', `The database has only ${name}, of another program`)
      const tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
      expect(await query(databaseUrl, tables)).toEqual([{ name }])
      await query(databaseUrl, `DROP TABLE ${name}`)
    }
  })
})

test('the tables are in the schema of search_path, which is held up by no other of the same database', async () => {
  const direct = await freshPostgresUrl()
  await makeStore(direct)
  await query(direct, 'CREATE SCHEMA mine')
  await using _adding = await holding(direct, ADD_LOCK)
  await using store = await openStore(`${direct}?options=-c%20search_path%3Dmine`)
  await addTo(store)
  expect(await query(direct, 'SELECT name FROM mine.pets')).toEqual([{ name: 'Rex' }])
})
