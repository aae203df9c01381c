import { Database } from 'bun:sqlite'
import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFile, hasDatabase, openFile, readUnopened } from './open.ts'

const freshLocation = () =>
  ({
    path: join(fs.mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db'),
    environment: 'production',
  }) as const

/** A database that says that it has no tables yet, but has them. */
function contradictory() {
  const location = freshLocation()
  using database = openFile(location, true)
  database.run('PRAGMA user_version = 0')
  return location
}

const failure = (properties: object): Error => Object.assign(new Error('a failure'), properties)
const sqliteFailure = (errno: number): Error => failure({ name: 'SQLiteError', errno })
afterEach(() => mock.restore())

test('a database that cannot be opened is closed again', () => {
  const location = contradictory()
  expect(() => openFile(location, false)).toThrow('already exists')
  using other = new Database(location.path)
  // This fails while another connection is open.
  expect(other.query('PRAGMA journal_mode = DELETE').values()).toEqual([['delete']])
})

test('a failure of SQLite is explained by a full disk, but a refusal of ours is not', () => {
  const location = contradictory()
  spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw failure({ code: 'ENOSPC' })
  })
  expect(() => openFile(location, false)).toThrow('is on a disk without free space')
  expect(() => openFile({ ...location, environment: 'staging' }, false)).toThrow('belongs to production')
})

test.each([
  [13, true],
  [1034, false],
])(
  'a start syncs the recovered write-ahead log in place if the disk is full, and fails if the sync does: %i',
  (errno, isUsed) => {
    const location = freshLocation()
    using running = openFile(location, true)
    running.run("INSERT INTO pets VALUES (7, 'Rex', 1, 'sold')")
    const { query } = Database.prototype
    spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
      if (sql.startsWith('PRAGMA wal_checkpoint')) throw sqliteFailure(errno)
      return query.call(this, sql) as never
    })
    const synced: number[] = []
    spyOn(fs, 'fsyncSync').mockImplementation(file => void synced.push(fs.fstatSync(file).ino))
    if (isUsed) openFile(location, false).close()
    else expect(() => openFile(location, false)).toThrow('a failure')
    expect(synced).toEqual(isUsed ? [fs.statSync(`${location.path}-wal`).ino] : [])
  },
)

test('a file that another program has locked is in use, not damaged', () => {
  const { path } = contradictory()
  const reading = () =>
    readUnopened(path, () => {
      throw sqliteFailure(5)
    })
  expect(reading).toThrow(expect.objectContaining({ exit: 'unavailable' }))
})

test('a file that is read-only is refused, except to read it', () => {
  const location = freshLocation()
  openFile(location, true).close()
  spyOn(fs, 'accessSync').mockImplementation(path => {
    throw failure({ code: 'EACCES', path })
  })
  expect(() => checkFile(location)).toThrow('is closed to this user')
  expect(hasDatabase(location, 'read')).toBe(true)
})

test('a database that others have locked is waited for, for 15 seconds', () => {
  const location = freshLocation()
  let now = 0
  spyOn(performance, 'now').mockImplementation(() => now)
  spyOn(Bun, 'sleepSync').mockImplementation(() => {
    now += 1000
  })
  spyOn(Database.prototype, 'run').mockImplementation(() => {
    throw sqliteFailure(5)
  })
  expect(() => openFile(location, true)).toThrow('a failure')
  expect(now).toBe(16_000)
})
