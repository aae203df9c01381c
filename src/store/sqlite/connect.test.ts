import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, singleValue } from './connect.ts'
import { openFile } from './open.ts'

const freshPath = (): string => join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')

test('a connection waits for the disk at every commit', () => {
  const path = freshPath()
  using _created = openFile({ path, environment: 'production' }, true)
  using database = connect(path, 'durable')
  const pragmas = ['journal_mode', 'synchronous', 'fullfsync']
  expect(pragmas.map(name => singleValue(database, `PRAGMA ${name}`))).toEqual(['wal', 2n, 1n])
})

test('a connection waits two seconds for a lock, unless its owner does the waiting', () => {
  const path = freshPath()
  using opened = openFile({ path, environment: 'production' }, true)
  const connections = [opened, ...(['read', 'write', 'durable'] as const).map(use => connect(path, use))]
  const waits = connections.map(database => singleValue(database, 'PRAGMA busy_timeout'))
  expect(waits).toEqual([2000n, 2000n, 2000n, 0n])
})

test.each([
  ['SELECT sqlite_version()', '3.51.2', 'SQLite 3.51.2 is too old to be safe; 3.51.3 or newer is needed.'],
  ['PRAGMA journal_mode', 'delete', "SQLite's journal_mode is delete, not wal. Use a local disk."],
  ['PRAGMA synchronous', '1', "SQLite's synchronous is 1, not 2. Use a local disk."],
])('a database that could lose a commit is refused: %s is %s', (asked, answer, reason) => {
  const { query } = Database.prototype
  using _answering = spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
    return query.call(this, sql === asked ? `SELECT '${answer}'` : sql) as never
  })
  expect(() => openFile({ path: freshPath(), environment: 'production' }, true)).toThrow(reason)
})
