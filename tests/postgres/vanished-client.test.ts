import { expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { query } from '../support/postgres/server.ts'
import { startService } from '../support/service/service.ts'

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
