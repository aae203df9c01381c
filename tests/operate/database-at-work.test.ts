import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openFile } from '../../src/store/sqlite/open.ts'
import { fresh, PLACES } from '../copy/stores.ts'
import { query } from '../support/postgres.ts'
import { freshFolder, freshSqliteUrl, pathOf } from '../support/process.ts'
import { copyBetween } from '../support/refused.ts'
import { startService } from '../support/service.ts'
import { atStatement } from '../support/statements.ts'
import { addTo, engineAt, makeStore, openStore } from '../support/store.ts'

const DAY = 86_400_000
/** The first statement that reads a file: the connection has opened it and holds no lock yet. */
const FIRST_READ = 'PRAGMA journal_mode = wal'

const productionAt = (path: string) => ({ path, environment: 'production' }) as const

async function fileWith(name: string): Promise<string> {
  const url = await freshSqliteUrl()
  await makeStore(url, [name])
  return pathOf(url)
}

test('a file that a restore replaces while it is being opened is not the one that is used', async () => {
  const [path, restored] = [await fileWith('before'), await fileWith('restored')]
  using _replacing = atStatement(FIRST_READ, { before: () => renameSync(restored, path) })
  using opened = openFile(productionAt(path), false)
  expect(opened.query('SELECT DISTINCT name FROM pets').values()).toEqual([['restored']])
})

test('a new file that a service of another environment creates first is refused, and stays as it was', async () => {
  const location = productionAt(pathOf(await freshSqliteUrl()))
  const contents = () => {
    using database = new Database(location.path)
    return database.query('SELECT * FROM meta').values()
  }
  let theirs: ReturnType<typeof contents> = []
  const { transaction } = Database.prototype
  using creating = spyOn(Database.prototype, 'transaction')
  creating.mockImplementationOnce(function (this: Database, work) {
    openFile({ ...location, environment: 'staging' }, true).close()
    theirs = contents()
    return transaction.call(this, work) as never
  })
  expect(() => openFile(location, true)).toThrow('belongs to staging')
  expect(contents()).toEqual(theirs)
})

test('a file that a restore has locked is waited for', async () => {
  const path = await fileWith('Rex')
  const restoring = new Database(path)
  restoring.run('PRAGMA journal_mode = delete')
  using _locking = atStatement(FIRST_READ, { before: () => restoring.run('BEGIN EXCLUSIVE') })
  using waiting = spyOn(Bun, 'sleepSync').mockImplementation(() => restoring.close())
  openFile(productionAt(path), false).close()
  expect(waiting).toHaveBeenCalledTimes(1)
})

test('a service that can store nothing says so at its start, serves reads, and is not ready until it can', async () => {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl, ['Rex'])
  using database = new Database(pathOf(databaseUrl))
  const tables = ['pets', 'meta']
  const fail = "BEGIN SELECT raise(FAIL, 'disk is full'); END"
  for (const table of tables) database.run(`CREATE TRIGGER on_${table} BEFORE INSERT ON ${table} ${fail}`)
  using service = await startService({ databaseUrl })
  const warning = await service.output.entry(({ event }) => event === 'creates-will-fail')
  expect(warning).toMatchObject({ level: 'warn', cause: { message: 'disk is full' } })
  const statuses = async () => [
    (await service.post('{"name":"Rex","categoryId":1}')).status,
    (await service.fetch('/readyz')).status,
    (await service.fetch('/v1/pets')).status,
  ]
  expect(await statuses()).toEqual([500, 500, 200])
  database.run('DROP TRIGGER on_pets')
  // The disk is asked only if something is committed.
  expect(await service.fetch('/readyz')).toHaveStatus(500)
  database.run('DROP TRIGGER on_meta')
  expect(await service.fetch('/readyz')).toHaveStatus(200)
  expect(await statuses()).toEqual([201, 200, 200])
})

test('a write that fails does not fail those that share its transaction, and says why with a code', async () => {
  const url = await freshSqliteUrl()
  await using store = await openStore(url)
  const add = (id: string): Promise<void> =>
    store.keys.add({ id, name: id, hint: id, hash: id, createdAt: new Date(), expiresAt: undefined })
  await add('old')
  using other = new Database(pathOf(url))
  other.run('BEGIN IMMEDIATE')
  // Meanwhile all of them arrive at the writer.
  const adding = Promise.allSettled(['first', 'new', 'old', 'newer'].map(add))
  other.run('COMMIT')
  const results = await adding
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } })
})

test.each(PLACES)('an idempotency key counts for a day, and then goes: %s', async place => {
  const url = await fresh(place)
  await makeStore(url, ['Rex'])
  const run = (sql: string) =>
    place === 'postgres' ? query(url, sql) : new Database(pathOf(url)).query(sql).all()
  const row = (key: string, age: number) => `('old', '${key}', 1, ${Date.now() - age})`
  const rows = ['0', '1', '2', '3', '4'].map(key => row(key, DAY + Number(key)))
  rows.push(row('valid', DAY - 60_000))
  await run(`INSERT INTO idempotency (key_id, key, pet_id, created_at) VALUES ${rows}`)
  await using store = await openStore(url, { create: false })
  const found: unknown[] = []
  for (const key of ['0', 'new', 'newer', 'valid', '0']) {
    const { pet, replayed } = await addTo(store, 'Rex', key, 'old')
    found.push([key, pet.id, replayed, (await run('SELECT key FROM idempotency')).length])
  }
  expect(found).toEqual([
    ['0', 2n, false, 4],
    ['new', 3n, false, 3],
    ['newer', 4n, false, 4],
    ['valid', 1n, true, 4],
    ['0', 2n, true, 4],
  ])
})

test('only the owner may read what is stored, whatever the umask', async () => {
  const folder = await freshFolder()
  const [url, copy, restored] = ['data', 'copy', 'restored']
    .map(name => join(folder, 'new', name, 'a.db'))
    .map(path => `sqlite:${path}`) as [string, string, string]
  const file = join(folder, 'new', 'backup.db')
  const usual = process.umask(0)
  try {
    const store = await engineAt(url).open({ create: true, caller: 'service' })
    await engineAt(url).backUp({ file, force: false })
    await copyBetween(url, copy)
    await engineAt(restored).restore({ file, force: false, nextId: undefined })
    const readable = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      name => (statSync(join(folder, name)).mode & 0o077) !== 0,
    )
    expect(readable).toEqual([])
    await store.close()
  } finally {
    process.umask(usual)
  }
})
