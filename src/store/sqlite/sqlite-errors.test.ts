import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inUse } from './open.ts'
import { isBusy, troubleIn } from './sqlite-errors.ts'

const freshPath = (): string => join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')

function failureOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
}

test('a failure of the system, the disk or the file is a storage that cannot answer, a fault of ours is not', () => {
  const path = freshPath()
  using database = new Database(path)
  database.run('PRAGMA max_page_count = 1')
  using reader = new Database(path, { readonly: true })
  const troubles = [
    () => openSync('/no/such/file', 'r'),
    () => new Database('/no/such/file'),
    () => database.run('CREATE TABLE full (x)'),
    () => reader.run('CREATE TABLE readonly (x)'),
    () => database.run('SELECT nonsense'),
  ].map(work => troubleIn(failureOf(work)))
  expect(troubles).toEqual(['failing', 'failing', 'disk-full', 'failing', undefined])
  expect(troubleIn(new TypeError('undefined is not a function'))).toBeUndefined()
})

test('a database that is busy is recognised by the cause of an error too', () => {
  const path = freshPath()
  using holder = new Database(path)
  using other = new Database(path)
  holder.run('BEGIN EXCLUSIVE')
  const cause = failureOf(() => other.run('BEGIN EXCLUSIVE'))
  expect(isBusy(inUse('animals.db', cause))).toBe(true)
  holder.run('COMMIT; PRAGMA journal_mode = wal; CREATE TABLE pets (id)')
  // An extended code: what it has read is old by now.
  other.run('BEGIN; SELECT * FROM pets')
  holder.run('INSERT INTO pets VALUES (1)')
  expect(isBusy(failureOf(() => other.run('INSERT INTO pets VALUES (2)')))).toBe(true)
  expect(isBusy(new Error('It cannot be opened.', { cause: new Error('another reason') }))).toBe(false)
})
