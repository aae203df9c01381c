import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, singleValue } from './connect.ts'
import { openFile } from './open.ts'

test('a connection waits for the disk at every commit', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using _created = openFile({ path, environment: 'production' }, true)
  using database = connect(path, 'durable')
  const pragmas = ['journal_mode', 'synchronous', 'fullfsync']
  expect(pragmas.map(name => singleValue(database, `PRAGMA ${name}`))).toEqual(['wal', 2n, 1n])
})
