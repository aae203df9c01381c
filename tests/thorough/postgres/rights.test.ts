import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { PostgresServer, query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { makeEmptyStore } from '../../support/service/empty-store.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { startProcess } from '../../support/service/service-process.ts'

const PAGE = join(import.meta.dir, '../../../docs/how-to/use-postgresql.md')
const [ROLES = '', GRANTS = ''] = [...readFileSync(PAGE, 'utf8').matchAll(/```sql\n(.*?)```/gs)].map(
  ([, sql = '']) => sql,
)

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.create()
})
afterAll(() => server.remove())

const as = (role: string, databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.username = role
  return url.href
}

test('with the rights that the page grants, and no others, a service serves and commands work', async () => {
  const databaseUrl = await server.freshDatabaseUrl()
  await query(databaseUrl, ROLES)
  const owner = as('petstore_owner', databaseUrl)
  const role = as('petstore_service', databaseUrl)
  for (const flag of ['--check', '--port=0'])
    expect({ flag, ...(await petstore(['serve', flag], { DATABASE_URL: role })) }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GRANT CREATE ON SCHEMA "public" TO "petstore_service"'),
    })
  expect((await petstore(['serve', '--check'], { DATABASE_URL: owner })).code).toBe(0)
  expect(
    (await petstore(['keys', 'create', '--create', '--name', 'first'], { DATABASE_URL: owner })).code,
  ).toBe(0)

  const refused = await petstore(['serve', '--port=0'], { DATABASE_URL: role })
  const sentence = 'GRANT SELECT, INSERT ON pets TO "petstore_service"; GRANT SELECT, UPDATE ON pet_counter'
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  const examined = await petstore(['doctor'], { DATABASE_URL: role })
  expect(examined.stdout).toContain(sentence)
  const elsewhere = await freshSqliteUrl()
  await makeEmptyStore(elsewhere)
  for (const args of [
    ['pets', 'export', '-'],
    ['copy', '--from', role, '--to', await freshSqliteUrl()],
    ['copy', '--from', elsewhere, '--to', role],
  ])
    expect({ args, ...(await petstore(args, { DATABASE_URL: role })) }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `petstore: The role lacks rights on the tables. Let their owner run: ${sentence}`,
      ),
    })

  await query(owner, GRANTS.replace(', DELETE', ''))
  const almost = await petstore(['serve', '--port=0'], { DATABASE_URL: role })
  expect(almost.stderr).toBe(
    'petstore: The role lacks rights on the tables. Let their owner run: GRANT DELETE ON idempotency TO "petstore_service".\n',
  )
  expect((await petstore(['doctor'], { DATABASE_URL: role })).stdout).toContain('GRANT DELETE ON idempotency')

  await query(owner, GRANTS)
  await query(owner, 'DELETE FROM api_keys')
  const copied = await petstore(['copy', '--from', elsewhere, '--to', role])
  expect(copied).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The role lacks a right: permission denied for table'),
  })
  const service = await startProcess({ databaseUrl: role })
  const headers = { 'Idempotency-Key': 'once' }
  expect((await service.post(petJson({}), headers)).status).toBe(201)
  expect((await service.post(petJson({}), headers)).headers.get('Idempotent-Replayed')).toBe('true')
  expect((await service.fetch('/v1/pets?status=available')).pets).toHaveLength(1)
  expect((await service.fetch('/v1/pets/1')).status).toBe(200)
  const file = join(await freshFolder(), 'animals.ndjson')
  writeFileSync(file, '{"name":"imported","categoryId":1}\n')
  for (const args of [
    ['keys', 'create', '--name', 'second'],
    ['keys', 'revoke', 'second', '--yes'],
    ['pets', 'import', file, '--yes'],
    ['pets', 'export', '-'],
    ['deprecations'],
  ])
    expect({ args, ...(await petstore(args, { DATABASE_URL: role })) }).toMatchObject({ code: 0 })
  expect(await service.stop()).toBe(0)
  expect(service.output.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('before an upgrade that the role may not do, the check and the start name the role that may', async () => {
  const databaseUrl = await server.freshDatabaseUrl()
  await makeEmptyStore(databaseUrl)
  await query(databaseUrl, `CREATE ROLE reader LOGIN; ${GRANTS.replaceAll('petstore_service', 'reader')}`)
  await query(databaseUrl, 'DELETE FROM migrations WHERE version = (SELECT max(version) FROM migrations)')
  const { username: owner } = new URL(databaseUrl)
  for (const flag of ['--check', '--port=0'])
    expect({
      flag,
      ...(await petstore(['serve', flag], { DATABASE_URL: as('reader', databaseUrl) })),
    }).toMatchObject({ code: 1, stderr: expect.stringContaining(`belong to the role "${owner}"`) })
  expect((await petstore(['serve', '--check'], { DATABASE_URL: databaseUrl })).code).toBe(0)
})

test('a schema that does not exist is named by the check and by the start', async () => {
  const databaseUrl = `${await server.freshDatabaseUrl()}?schema=elsewhere`
  for (const flag of ['--check', '--port=0'])
    expect({ flag, ...(await petstore(['serve', flag], { DATABASE_URL: databaseUrl })) }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CREATE SCHEMA … AUTHORIZATION …'),
    })
})

test.each([
  ['migrations', 'CREATE TABLE migrations (id integer PRIMARY KEY, hash text)'],
  ['pets', 'CREATE TABLE pets (owner text)'],
  ['meta', 'CREATE TABLE meta (name text PRIMARY KEY, value text)'],
])(
  'a table of another program that is named %s is named by start and doctor, and nothing of ours is left',
  async (name, sql) => {
    const databaseUrl = await server.freshDatabaseUrl()
    await query(databaseUrl, sql)
    const sentence = `The database has a table of another program that is named ${name}.`
    const started = await petstore(['serve', '--port=0'], { DATABASE_URL: databaseUrl })
    expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
    const examined = await petstore(['doctor'], { DATABASE_URL: databaseUrl })
    expect(examined).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(sentence),
    })
    expect(
      await query(databaseUrl, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"),
    ).toEqual([{ name }])
  },
)
