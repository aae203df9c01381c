import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpSqlite, restoreSqlite } from './backup.ts'
import { openFile } from './open.ts'

/** A new database with one animal, and its backup. */
function backedUp() {
  const path = join(fs.mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const [location, file] = [{ path, environment: 'production' }, `${path}.backup`] as const
  const database = openFile(location, true)
  database.run("INSERT INTO pets VALUES (7, 'Rex', 1, 'sold')")
  const report = backUpSqlite(location, { file, force: false })
  const restore = (nextId?: bigint, from: string = file) =>
    restoreSqlite(location, { file: from, force: true, nextId })
  return { location, file, database, report, restore }
}

test('a restore never assigns the last identifier again, even if it is named as the next one', () => {
  const { database, restore } = backedUp()
  database.close()
  const lastIdWith = (nextId: bigint) => restore(nextId).lastId
  expect([7n, 8n, 9n].map(lastIdWith)).toEqual([7n, 7n, 8n])
})

test('a restore over a database that has assigned fewer identifiers than its backup goes on after the backup', () => {
  const { database, restore } = backedUp()
  database.run(
    "UPDATE sqlite_sequence SET seq = 3; DELETE FROM pets; INSERT INTO pets VALUES (1, 'Mia', 1, 'sold')",
  )
  database.close()
  expect(restore().lastId).toBe(7n)
})

test('a restore lists the valid keys that it drops by age, and keys of the same age by id', () => {
  const { database, restore } = backedUp()
  for (const [id, at] of Object.entries({ d: 3, c: 3, b: 1, a: 2 }))
    database.run('INSERT INTO api_keys (id, name, hint, hash, created_at) VALUES (?1, ?1, ?1, ?1, ?2)', [
      id,
      at,
    ])
  database.close()
  expect(restore().droppedKeys.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd'])
})

test('a restore rejects a missing file, and the database itself under any name', () => {
  const { location, database, file, restore } = backedUp()
  database.close()
  fs.symlinkSync(location.path, `${file}-link`)
  expect(() => restore(1n, `${file}-link`)).toThrow(expect.objectContaining({ exit: 'invalid' }))
  expect(() => restore(1n, `${file}-none`)).toThrow(expect.objectContaining({ exit: 'missing' }))
})

test('a backup that is read-only can be restored', () => {
  const { database, file, restore } = backedUp()
  database.close()
  const { accessSync } = fs
  using _ = spyOn(fs, 'accessSync').mockImplementation((path, mode) => {
    if (path === file) throw Object.assign(new Error(), { code: 'EACCES' })
    accessSync(path, mode)
  })
  expect(restore().lastId).toBe(7n)
})

test('a backup says how large it is, whatever the size of the database', () => {
  const { location, database, file, report } = backedUp()
  expect(report.bytes).toBe(fs.statSync(file).size)
  database.run('CREATE TABLE large AS SELECT randomblob(100000); DROP TABLE large; PRAGMA wal_checkpoint')
  const { bytes } = backUpSqlite(location, { file, force: true })
  database.close()
  expect(fs.statSync(location.path).size).toBeGreaterThan(100_000)
  expect(bytes).toBe(fs.statSync(file).size)
})

test('a copy that is damaged becomes no backup', () => {
  const { location, database, file } = backedUp()
  database.close()
  const before = fs.readFileSync(file, 'latin1')
  const { query } = Database.prototype
  using _finding = spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
    return query.call(this, sql.replace('PRAGMA quick_check(1)', "SELECT 'row 1 missing'")) as never
  })
  const refused = { exit: 'refused', message: 'The copy is damaged: row 1 missing.' }
  expect(() => backUpSqlite(location, { file, force: true })).toThrow(expect.objectContaining(refused))
  expect(fs.readFileSync(file, 'latin1')).toBe(before)
})

test('while a restore replaces a database, a service finds one at any moment', () => {
  const { location, database, restore } = backedUp()
  database.close()
  const { renameSync } = fs
  using renaming = spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    expect(fs.existsSync(location.path)).toBe(true)
    renameSync(from, to)
  })
  expect(fs.existsSync(restore().kept ?? '')).toBe(true)
  expect(renaming).toHaveBeenCalledTimes(1)
})
