import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { query } from '../support/postgres/server.ts'
import { petstore } from '../support/service/cli.ts'
import { makeEmptyStore } from '../support/service/empty-store.ts'
import { freshFolder } from '../support/service/folder.ts'

test('an import of which the server does not keep every animal adds none, and says so', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeEmptyStore(databaseUrl)
  await query(
    databaseUrl,
    `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF NEW.name = 'lost' THEN RETURN NULL; END IF; RETURN NEW; END $$;
     CREATE TRIGGER lose BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION lose()`,
  )
  const file = join(await freshFolder(), 'animals.ndjson')
  writeFileSync(file, '{"name":"kept","categoryId":1}\n{"name":"lost","categoryId":1}\n')
  const ran = await petstore(['pets', 'import', file, '--yes'], { DATABASE_URL: databaseUrl })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('Of 2 animals the database has 1, so none was added.')
  expect(await query(databaseUrl, 'SELECT id FROM pets')).toEqual([])
})
