import { expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../support/http/exact.ts'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { query } from '../support/postgres/server.ts'
import { startService } from '../support/service/service.ts'

const COMMITS = 400
const SIZE = "SELECT pg_relation_size('pet_counter')::integer AS bytes"

test('commits under a transaction that stays open leave nothing in the way of the next ones', async () => {
  const databaseUrl = await freshPostgresUrl()
  const service = await startService({ databaseUrl })
  const before = await query(databaseUrl, SIZE)
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pets')
  for (let n = 0; n < COMMITS; n++) expect((await service.post(petJson({}))).status).toBe(201)
  expect(await query(databaseUrl, SIZE)).toEqual(before)
  await holder.end()
  expect(await service.stop()).toBe(0)
})

test('a server gives up on a machine that is gone instead of holding the counter for it', async () => {
  const databaseUrl = await freshPostgresUrl()
  const service = await startService({ databaseUrl })
  await query(
    databaseUrl,
    `CREATE TABLE asked (ms text);
     CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO asked VALUES (current_setting('tcp_user_timeout')); RETURN NULL; END $$;
     CREATE TRIGGER note AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION note()`,
  )
  expect((await service.post(petJson({}))).status).toBe(201)
  expect(await query(databaseUrl, 'SELECT ms FROM asked')).toEqual([{ ms: '10000' }])
  expect(await service.stop()).toBe(0)
})
