import { expect, test } from 'bun:test'
import { freshPostgresUrl, query } from '../../../tests/support/postgres.ts'
import { makeStore, openStore } from '../../../tests/support/store.ts'
import { SERVICE_FACTS, ServerCheck, type ServiceFacts } from './check.ts'

test('a store without animals stays ready when its server is replaced, even if other schemas have routines of the same names', async () => {
  const databaseUrl = await freshPostgresUrl()
  await using store = await openStore(databaseUrl)
  const publish = 'CREATE FUNCTION other.publish(text) RETURNS text RETURN $1'
  await query(databaseUrl, `CLUSTER pets USING pets_pkey; CREATE SCHEMA other; ${publish}`)
  await store.ping()
  expect(store.epoch()).toBeGreaterThan(0)
})

test('a server on which a subscription writes to the tables is refused', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl)
  const sql =
    "INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) VALUES (1, 'pets'::regclass, 'r')"
  await query(databaseUrl, sql)
  await expect(openStore(databaseUrl)).rejects.toThrow('A subscription writes to the tables on this server')
})

test('identifiers that clients have seen are skipped, and a sequence that is ahead is not moved back', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl)
  const [facts] = await query<ServiceFacts>(databaseUrl, SERVICE_FACTS)
  const check = new ServerCheck('db:5432', facts?.secret ?? '', () => {})
  check.accept({ ...(facts as ServiceFacts), durable_id: '7' })
  const last = async () => Number((await query(databaseUrl, 'SELECT last_value FROM pet_ids'))[0]?.last_value)
  await query(databaseUrl, check.skipSeenIds())
  expect(await last()).toBe(2 ** 20 + 7)
  await query(databaseUrl, "SELECT setval('pet_ids', 5000000)")
  await query(databaseUrl, check.skipSeenIds())
  expect(await last()).toBe(5_000_000)
})
