import { describe, expect, test } from 'bun:test'
import type { OperatorError } from '../../src/operator-error.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { petstore } from '../support/process.ts'
import { engineAt, makeStore } from '../support/service.ts'

const INSTANCES = 10
const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1)

test('ten instances that open an empty database at once agree on its schema and its secret', async () => {
  const databaseUrl = await freshPostgresUrl()
  const stores = await Promise.all(
    Array.from({ length: INSTANCES }, () => engineAt(databaseUrl).open({ create: true })),
  )
  expect(new Set(stores.map(({ cursorSecret }) => cursorSecret)).size).toBe(1)
  await Promise.all(stores.map(store => store.ping()))
  await Promise.all(stores.map(store => store.close()))
})

test('a store whose database gets the secret of another one answers nothing until it is opened again', async () => {
  const databaseUrl = await freshPostgresUrl()
  const store = await engineAt(databaseUrl).open({ create: true })
  await query(databaseUrl, "UPDATE meta SET value = 'of another store' WHERE name = 'cursor_secret'")
  await expect((async () => store.ping())()).rejects.toThrow()
  await store.close()
  const again = await engineAt(databaseUrl).open({ create: false })
  await again.ping()
  await again.close()
})

describe('a database is refused in a sentence, by opening and by diagnosis alike,', () => {
  /** The same sentence comes from both; the exit code only from opening, as `serve` and every command do. */
  async function refusal(databaseUrl: string, create = true) {
    const engine = engineAt(databaseUrl)
    const error = await engine.open({ create }).then(
      () => new Error('It was opened.'),
      (reason: OperatorError) => reason,
    )
    const { findings, missing } = await engine.diagnose()
    const said = [
      ...findings.filter(({ level }) => level === 'fail').map(({ text }) => text),
      missing?.message,
    ]
    expect(said).toContain(error.message)
    return { exit: 'exit' in error ? error.exit : undefined, sentence: error.message }
  }

  test('where there is no database of that name', async () => {
    const url = new URL(await freshPostgresUrl())
    url.pathname = '/nowhere'
    expect(await refusal(url.href)).toEqual({
      exit: 'missing',
      sentence: `postgres://${url.host}/nowhere cannot be used: database "nowhere" does not exist. Create it with: createdb --encoding=UTF8 --template=template0 NAME`,
    })
  })

  test('where it has no schema and none may be created', async () => {
    const url = new URL(await freshPostgresUrl())
    expect(await refusal(url.href, false)).toEqual({
      exit: 'missing',
      sentence: `There is no petstore in postgres://${url.host}${url.pathname}.`,
    })
  })

  test('where nothing listens', async () => {
    expect(await refusal('postgres://127.0.0.1:1/animals')).toEqual({
      exit: 'unavailable',
      sentence: expect.stringMatching(/^postgres:\/\/127\.0\.0\.1:1\/animals cannot be used: .*ECONNREFUSED/),
    })
  })

  test('where it cannot hold every name', async () => {
    const databaseUrl = await freshPostgresUrl()
    await query(databaseUrl, `CREATE DATABASE ${nameOf(databaseUrl)}_l1 TEMPLATE template0 ENCODING latin1`)
    expect(await refusal(`${databaseUrl}_l1`)).toEqual({
      exit: 'failed',
      sentence: expect.stringContaining("The database's encoding must be UTF8"),
    })
  })

  test.each(['repeatable read', 'serializable'])('where the default isolation is %s', async isolation => {
    const databaseUrl = await freshPostgresUrl()
    const setting = `default_transaction_isolation = '${isolation}'`
    await query(databaseUrl, `ALTER DATABASE ${nameOf(databaseUrl)} SET ${setting}`)
    expect(await refusal(databaseUrl)).toEqual({
      exit: 'failed',
      sentence:
        "PostgreSQL's default_transaction_isolation must be read committed for this database and role.",
    })
  })

  test('where it belongs to the other environment', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeStore(databaseUrl, [])
    await query(databaseUrl, "UPDATE meta SET value = 'staging' WHERE name = 'environment'")
    expect((await refusal(databaseUrl)).sentence).toBe(
      'This database belongs to staging; this is production. It was not changed.',
    )
  })

  test('where a newer release wrote it', async () => {
    const databaseUrl = await freshPostgresUrl()
    await makeStore(databaseUrl, [])
    await query(databaseUrl, "UPDATE meta SET value = '99' WHERE name = 'schema_version'")
    expect((await refusal(databaseUrl)).sentence).toBe(
      'This database was written by a newer release (schema 99; this release knows 1). It was not changed.',
    )
  })

  test.each([
    ['pets', 'CREATE TABLE pets (owner text)'],
    ['meta', 'CREATE TABLE meta (id integer)'],
    ['meta', 'CREATE TABLE meta (name text PRIMARY KEY, value text)'],
  ])('where another program has a table named %s: %s', async (name, sql) => {
    const databaseUrl = await freshPostgresUrl()
    await query(databaseUrl, sql)
    expect((await refusal(databaseUrl)).sentence).toContain(
      `The database has tables of another program: ${name}.`,
    )
    const tables = await query(
      databaseUrl,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    )
    expect(tables).toEqual([{ name }])
  })

  test('where the schema of the URL does not exist', async () => {
    expect((await refusal(`${await freshPostgresUrl()}?schema=elsewhere`)).sentence).toContain(
      'The schema that DATABASE_URL or the role names does not exist',
    )
  })
})

test('the tables are in the schema that the URL names, beside those of another program', async () => {
  const direct = await freshPostgresUrl()
  await query(direct, 'CREATE TABLE pets (theirs integer); CREATE SCHEMA "my ""pets"')
  const store = await engineAt(`${direct}?schema=my%20"pets`).open({ create: true })
  await store.addPet({ pet: { name: 'Rex', categoryId: 1n, status: 'sold' }, idempotency: undefined })
  expect(await query(direct, 'SELECT name FROM "my ""pets".pets')).toEqual([{ name: 'Rex' }])
  await store.close()
})

test('a role needs no more than these rights, and PostgreSQL names one that is missing', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl, [])
  const role = nameOf(databaseUrl).replace('petstore', 'role')
  await query(
    databaseUrl,
    `CREATE ROLE ${role} LOGIN; GRANT SELECT ON meta TO ${role}; GRANT SELECT, INSERT ON pets TO ${role};
     GRANT SELECT, UPDATE ON pet_ids TO ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency TO ${role};
     GRANT SELECT, UPDATE ON api_keys TO ${role}`,
  )
  const url = new URL(databaseUrl)
  url.username = role
  const store = await engineAt(url.href).open({ create: false })
  const addition = {
    pet: { name: 'Rex', categoryId: 1n, status: 'sold' },
    idempotency: { keyId: 'k', key: 'once' },
  } as const
  expect((await store.addPet(addition)).replayed).toBe(false)
  expect((await store.addPet(addition)).replayed).toBe(true)
  await store.keys.recordUses([{ id: 'k', at: new Date(), deprecatedCalls: 1 }])
  await store.close()
  const created = await petstore(['keys', 'create', '--name', 'x'], { DATABASE_URL: url.href })
  expect(created).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('permission denied for table api_keys'),
  })
})
