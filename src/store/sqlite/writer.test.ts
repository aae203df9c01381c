import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './database-files.ts'
import { openFile } from './open.ts'
import { openWriter } from './writer.ts'

/** SQLite's error of a commit that the disk did not sync. */
const failedSync = Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', errno: 1034 })

test('an animal whose commit fails at the disk may be stored, and the write-ahead log is emptied before the next one, but not before others', () => {
  const path = join(fs.mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using opened = openFile({ path, environment: 'production' }, true)
  const { query } = Database.prototype
  let isFailing = false
  using querying = spyOn(Database.prototype, 'query')
  querying.mockImplementation(function (this: Database, sql: string) {
    const statement = query.call(this, sql)
    const run = statement.run.bind(statement)
    const commit = () => {
      if (isFailing) throw failedSync
      return run()
    }
    return (sql === 'COMMIT' ? Object.assign(statement, { run: commit }) : statement) as never
  })
  const writer = openWriter({ path, files: openedFiles(path), lockMs: 1000 })
  const add = (count: number) => {
    const rows = JSON.stringify(Array(count).fill(['Rex', '1', 'sold']))
    writer.run([['addPets', rows, '[]']])
  }
  const logBytes = () => fs.statSync(`${path}-wal`).size
  add(1000)
  const before = logBytes()
  isFailing = true
  // The failure itself does not say what the disk lacks.
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const trying = spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw full
  })
  const unknown = { name: 'OutcomeUnknown', trouble: 'disk-full' }
  expect(() => add(1)).toThrow(expect.objectContaining(unknown))
  trying.mockRestore()
  isFailing = false
  // As long as someone reads, the log cannot be emptied.
  opened.run('BEGIN; SELECT count(*) FROM pets')
  expect(() => add(1)).toThrow(expect.objectContaining({ name: 'StorageUnavailable' }))
  opened.run('ROLLBACK')
  add(1)
  expect(logBytes()).toBeLessThan(before / 2)
  opened.run('BEGIN; SELECT count(*) FROM pets')
  add(1)
  const after = logBytes()
  writer.run([['ping']])
  expect(logBytes()).toBe(after)
  writer.close()
})
