import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { TABLE_NAMES } from '../../src/store/copy.ts'
import { holding, onInsert, query } from '../support/postgres.ts'
import { createKey, pathOf, petstore } from '../support/process.ts'
import { copyBetween } from '../support/refused.ts'
import { type Service, startService } from '../support/service.ts'
import { runIn } from '../support/statements.ts'
import { addKey, engineAt, makeStore } from '../support/store.ts'
import { fresh, PASSWORD, PLACES, type Place, seedSqlite, sqliteRows } from './stores.ts'

const EXTREMES = [
  '{"name":"Zoë \\ud83d\\udc3e \\"quoted\\" \\\\ \\t, {comma}","categoryId":9223372036854775807,"status":"sold"}',
  '{"name":"  kept as sent  ","categoryId":-9223372036854775808,"status":"pending"}',
  '{"name":"NULL","categoryId":9007199254740993}',
]

test('a copy knows every table that survives a crash', async () => {
  const [sqlite, postgres] = [await fresh('sqlite'), await fresh('postgres')]
  for (const url of [sqlite, postgres]) await makeStore(url, [])
  using database = new Database(pathOf(sqlite), { readonly: true })
  const ours = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  const theirs = `SELECT relname AS name FROM pg_class
   WHERE relkind = 'r' AND relpersistence = 'p' AND relnamespace = 'public'::regnamespace`
  for (const tables of [database.query<{ name: string }, []>(ours).all(), await query(postgres, theirs)])
    expect(new Set(tables.map(({ name }) => name))).toEqual(new Set([...TABLE_NAMES, 'meta']))
})

/** Another place in the same database. */
async function otherSchemaOf(url: string): Promise<string> {
  await query(url, 'CREATE SCHEMA other')
  return `${url}?options=-c%20search_path%3Dother`
}

const keysAt = async (url: string) =>
  (await engineAt(url).diagnose()).keys?.toSorted((one, other) => one.id.localeCompare(other.id))

test.each<[from: Place, to: Place]>([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
])(
  'a store copied from %s to %s has the same animals, keys, cursors and remembered requests, and goes on counting',
  async (from, to) => {
    const source = await fresh(from)
    const target = from === to ? await otherSchemaOf(source) : await fresh(to)
    const [good, revoked] = [await addKey(source, 'good'), await addKey(source, 'revoked')]
    await petstore(['keys', 'revoke', 'revoked', '--yes'], { DATABASE_URL: source })
    const before = await startService({ databaseUrl: source })
    for (const [at, body] of EXTREMES.entries()) await before.post(body, { 'Idempotency-Key': `${9 - at}` })
    // As autovacuum does; before, PostgreSQL happens to read all rows in the order of an index.
    if (from === 'postgres') await query(source, 'ANALYZE')
    const repeat = [EXTREMES[0] ?? '', { 'Idempotency-Key': 'once' }, good] as const
    const { text: remembered } = await before.post(...repeat)
    const next = (await before.fetch('/v1/pets?limit=2')).link('next') ?? ''
    const targets = ['/v1/pets', next]
    const pages = (service: Service) =>
      Promise.all(targets.map(async target => (await service.fetch(target)).text))
    const pagesBefore = await pages(before)
    await before.stop()
    const keys = await keysAt(source)

    expect((await copyBetween(source, target)).map(({ rows }) => rows)).toEqual([4, 2, 4])
    expect(await keysAt(target)).toEqual(keys)
    using after = await startService({ databaseUrl: target })
    expect(await pages(after)).toEqual(pagesBefore)
    expect(await after.fetch('/v1/pets', { key: revoked })).toHaveStatus(401)
    const again = await after.post(...repeat)
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', remembered])
    expect((await after.post('{"name":"New","categoryId":1}')).text).toMatch(/^\{"id":[5-9],/)
  },
)

test('there and back again, every row is the same, and so is the last identifier', async () => {
  const [start, there, back] = [await fresh('sqlite'), await fresh('postgres'), await fresh('sqlite')]
  await seedSqlite(start, 12_000)
  // These identifiers were assigned and their animals deleted: they must not be assigned again.
  runIn(pathOf(start), 'DELETE FROM idempotency WHERE pet_id > 11990; DELETE FROM pets WHERE id > 11990')
  // A server's limit for ordinary statements must not interrupt a copy.
  await query(there, `ALTER DATABASE ${new URL(there).pathname.slice(1)} SET statement_timeout = '5ms'`)
  const sums = await copyBetween(start, there)
  expect(await copyBetween(there, back)).toEqual(sums)
  expect(sqliteRows(back)).toBe(sqliteRows(start))
})

describe.each(PLACES)('a copy into %s', place => {
  test('that fails leaves the source in use and a target that is refused, and can be made again', async () => {
    const [source, target] = [await fresh('sqlite'), await fresh(place)]
    await seedSqlite(source, 700)
    const fail = (): never => {
      throw new Error('half-way')
    }
    await expect(copyBetween(source, target, fail)).rejects.toThrow('half-way')
    await engineAt(source).check()
    await expect(engineAt(target).open({ create: true })).rejects.toThrow('is not complete')
    if (place === 'sqlite') {
      const remove = () => rmSync(pathOf(target), { force: true })
      await expect(copyBetween(source, target, remove)).rejects.toThrow('was removed or replaced')
    } else await engineAt(source).mark({ role: 'source', other: target })
    // What an earlier copy has marked stays so, because its target may be complete.
    await expect(copyBetween(source, target, fail)).rejects.toThrow('half-way')
    await expect(engineAt(source).check()).rejects.toThrow('was begun')
    expect((await copyBetween(source, target)).map(({ rows }) => rows)).toEqual([700, 7, 7])
  })

  test('is refused on a target with as much as one key', async () => {
    const [source, used] = [await fresh('sqlite'), await fresh(place)]
    await makeStore(source)
    await addKey(used, 'mine')
    const refused = place === 'sqlite' ? 'already exists' : 'is not empty'
    await expect(copyBetween(source, used)).rejects.toThrow(refused)
    expect((await engineAt(used).diagnose()).keys).toHaveLength(1)
  })
})

test.concurrent('a copy into PostgreSQL is refused while the tables are in use, and waits for the disk whatever the database says, as a mark does', async () => {
  const [source, target] = [await fresh('sqlite'), await fresh('postgres')]
  await seedSqlite(source, 1)
  await makeStore(target, [])
  const held = await holding(target, 'LOCK TABLE pets IN ROW EXCLUSIVE MODE')
  await expect(copyBetween(source, target)).rejects.toMatchObject({ exit: 'unavailable' })
  await held.end()
  const name = new URL(target).pathname.slice(1)
  const sql = `ALTER DATABASE ${name} SET synchronous_commit = off; CREATE TABLE seen (setting text)`
  await query(target, sql)
  const note = "INSERT INTO seen VALUES (current_setting('synchronous_commit'))"
  await onInsert(target, 'pets', 'at commit', note)
  await copyBetween(source, target)
  await onInsert(target, 'meta', 'at commit', note)
  await engineAt(target).mark({ role: 'source', other: 'elsewhere' })
  expect(await query(target, 'TABLE seen')).toEqual(Array(2).fill({ setting: 'on' }))
})

test.concurrent('the command refuses what cannot be meant, makes nothing and shows no password', async () => {
  const [staging, target] = [await fresh('sqlite'), await fresh('sqlite')]
  await createKey(staging, 'rehearsal', '--env', 'staging')
  const copy = async (from: string, to: string) => {
    const { code, stderr } = await petstore(['copy', '--from', from, '--to', to])
    return `${code} ${stderr}`
  }
  expect(await copy(staging, target)).toMatch(/^6 .*belongs to staging; this is production/)
  for (const place of PLACES) {
    const itself = await fresh(place)
    await makeStore(itself, ['Rex'])
    expect(await copy(itself, itself)).toBe('2 petstore: --from and --to are the same database.\n')
    await makeStore(itself, ['not marked'])
  }
  const url = await fresh('postgres')
  const said = [
    await copy(url.replace(/\/[^/]*$/, '/nowhere'), target),
    await copy(url.replace(/:\d+\//, ':1/'), target),
    await copy(url.replace('postgres://', 'mysql://'), target),
  ]
  expect(said.map(text => text[0])).toEqual(['3', '5', '2'])
  expect(said.join()).not.toContain(PASSWORD)
  expect(existsSync(pathOf(target))).toBe(false)
})

test.concurrent('the configured database is the one that no flag specifies, so its password is in no list of processes', async () => {
  const [first, second, third] = [await fresh('sqlite'), await fresh('postgres'), await fresh('sqlite')]
  await makeStore(first, ['Rex'])
  const run = (configured: string, ...flags: string[]) =>
    petstore(['copy', ...flags], { DATABASE_URL: configured })
  const { code, stdout } = await run(second, '--from', first, '--json')
  const pets = { table: 'pets', rows: 1, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) }
  const copied = [pets, ...['api_keys', 'idempotency'].map(table => ({ table, rows: 0 }))]
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ from: pathOf(first), environment: 'production', copied })
  expect(await query(second, 'SELECT name FROM pets')).toEqual([{ name: 'Rex' }])
  expect((await run(second, '--to', third)).code).toBe(0)
  expect(sqliteRows(third)).toContain('Rex')
  await expect(engineAt(second).check()).rejects.toThrow('was begun')
  expect((await run(second, '--unmark', '--yes')).stdout).toEndWith(' can be used again.\n')
  expect((await run(second)).stderr).toStartWith('petstore: --from or --to is missing. ')
})
