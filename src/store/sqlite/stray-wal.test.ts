import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseStrayWal, userVersionOf } from './stray-wal.ts'

test('a journal of at most one page, beside no file, is that of a file which is being created', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  writeFileSync(`${path}-journal`, Buffer.alloc(4096))
  refuseStrayWal(path)
  writeFileSync(`${path}-journal`, Buffer.alloc(4097))
  expect(() => refuseStrayWal(path)).toThrow('holds changes')
})

test('a file keeps its number when its schema is upgraded, and each new file gets one', () => {
  expect(userVersionOf(2, userVersionOf(1, 7 * 256))).toBe(7 * 256 + 2)
  expect(userVersionOf(1)).toBeGreaterThan(256)
})

test('a write-ahead log beside a one-page database that is still being created belongs to it', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using creating = new Database(path)
  creating.run('PRAGMA journal_mode = wal; CREATE TABLE pets (id)')
  expect(statSync(path).size).toBe(4096)
  refuseStrayWal(path)
})
