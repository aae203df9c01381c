import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { petstore } from '../support/service/cli.ts'
import { makeEmptyStore } from '../support/service/empty-store.ts'
import { startService } from '../support/service/service.ts'
import { fresh, PLACES, query } from './places.ts'
import { pathOf, seedSqlite, sqliteRows } from './seed.ts'

/** A new table belongs in the copy or on the second list, with a reason. */
const COPIED = ['api_keys', 'deprecated_calls', 'idempotency', 'meta', 'pets']
const OF_THE_ENGINE = ['migrations', 'pet_counter', 'sqlite_sequence']

test('every table of both engines is known to the copy', async () => {
  const sqlite = await fresh('sqlite')
  const postgres = await fresh('postgres')
  for (const url of [sqlite, postgres]) await makeEmptyStore(url)
  const database = new Database(pathOf(sqlite), { readonly: true })
  const inSqlite = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
  database.close()
  const inPostgres = await query<{ name: string }>(
    postgres,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  const unknown = [...inSqlite, ...inPostgres]
    .map(({ name }) => name)
    .filter(name => ![...COPIED, ...OF_THE_ENGINE].includes(name) && !name.startsWith('sqlite_stat'))
  expect(unknown).toEqual([])
})

test('there and back again, every row is the same, and so is the last identifier', async () => {
  const start = await fresh('sqlite')
  const there = await fresh('postgres')
  const back = await fresh('sqlite')
  await seedSqlite(start, 25_000)
  const before = new Database(pathOf(start))
  // These identifiers were assigned and their animals deleted: they must not be assigned again.
  before.run('DELETE FROM pets WHERE id > 24990')
  before.run('DELETE FROM idempotency WHERE pet_id > 24990')
  before.close()
  // A server's limit for ordinary statements must not interrupt a copy.
  await query(there, `ALTER DATABASE ${new URL(there).pathname.slice(1)} SET statement_timeout = '5ms'`)
  expect((await petstore(['copy', '--from', start, '--to', there])).code).toBe(0)
  expect((await petstore(['copy', '--from', there, '--to', back])).code).toBe(0)
  expect(sqliteRows(back)).toBe(sqliteRows(start))
  const after = new Database(pathOf(back), { readonly: true })
  expect(after.query("SELECT seq FROM sqlite_sequence WHERE name = 'pets'").values()).toEqual([[25_000]])
  after.close()
})

test('a copy of a store that is being written to is one state of it', async () => {
  const source = await fresh('sqlite')
  const target = await fresh('sqlite')
  await seedSqlite(source, 60_000)
  const service = await startService({ databaseUrl: source })
  let isCopying = true
  const writing = (async () => {
    for (let i = 0; isCopying; i++) {
      const answer = await service.post('{"name":"Late","categoryId":1}', { 'Idempotency-Key': `late-${i}` })
      if (answer.status !== 201) throw new Error(answer.text)
    }
  })()
  const { code, stderr } = await petstore(['copy', '--from', source, '--to', target])
  isCopying = false
  await writing
  await service.stop()
  expect(`${code} ${stderr}`).toStartWith('0 ')

  const copied = sqliteRows(target).split('\n')
  const ids = copied
    .filter(row => row.split('\t').length === 4 && /^\d/.test(row))
    .map(row => row.split('\t')[0])
  const remembered = copied.filter(row => !/^\d/.test(row) && !row.includes('getPet'))
  const late = remembered.filter(row => Number(row.split('\t')[2]) > 60_000)
  expect(ids.length).toBeLessThan(sqliteRows(source).split('\n').length)
  expect(ids).toEqual(ids.map((_, index) => String(index + 1)))
  expect(late).toHaveLength(ids.length - 60_000)
})

describe.each(PLACES)('a copy into %s', place => {
  test('that does not match its source is emptied, stays marked, and succeeds when run again', async () => {
    const source = await fresh('sqlite')
    const target = await fresh(place)
    await seedSqlite(source, 2000)
    await makeEmptyStore(target)
    await spoil(source, target)

    const first = await petstore(['copy', '--from', source, '--to', target])
    expect(first.code).toBe(1)
    expect(first.stderr).toContain('The copy differs from its source (pets: 2000 of 2000')
    expect((await petstore(['keys', 'list'], { DATABASE_URL: target })).stderr).toContain('unfinished copy')
    expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(0)
  })
})

/** Leaves an unfinished copy in the target, with one animal that differs from the source. */
async function spoil(source: string, target: string): Promise<void> {
  const database = new Database(pathOf(source), { readonly: true })
  const [row] = database
    .query<{ value: string }, []>("SELECT value FROM meta WHERE name = 'cursor_secret'")
    .all()
  database.close()
  const statements = [
    `UPDATE meta SET value = '${row?.value}' WHERE name = 'cursor_secret'`,
    "INSERT INTO meta VALUES ('copy_in_progress', 'the source')",
    "INSERT INTO pets (id, name, category_id, status) VALUES (1, 'Impostor', 1, 'sold')",
  ]
  if (target.startsWith('sqlite:')) {
    const spoiled = new Database(pathOf(target))
    for (const statement of statements) spoiled.run(statement)
    spoiled.close()
  } else await query(target, statements.join(';'))
}
