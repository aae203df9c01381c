import { expect, mock, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atStatement } from '../../../tests/support/statements.ts'
import { fillSqlite, markSqlite, readSqlite } from './copy.ts'
import { openFile } from './open.ts'

const freshLocation = () =>
  ({
    path: join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db'),
    environment: 'production',
  }) as const

const MARK = { role: 'target', other: 'elsewhere' } as const

test('a copy never replaces a file that appears under the name of its target', async () => {
  const location = freshLocation()
  const before = () => writeFileSync(location.path, 'theirs')
  using _appearing = atStatement('INSERT INTO meta (name, value) VALUES', { before })
  await expect(fillSqlite(location, MARK, async () => {})).rejects.toThrow('already exists')
  expect(readFileSync(location.path, 'utf8')).toBe('theirs')
})

test('a copy whose target another run has completed meanwhile writes nothing to it', async () => {
  const location = freshLocation()
  using _completing = atStatement('BEGIN IMMEDIATE', { before: () => markSqlite(location) })
  const work = mock()
  await expect(fillSqlite(location, MARK, work)).rejects.toMatchObject({ exit: 'unavailable' })
  expect(work).not.toHaveBeenCalled()
})

test('marking a missing database does not create a file', () => {
  const location = freshLocation()
  expect(() => markSqlite(location, MARK)).toThrow('There is no database at')
  expect(existsSync(location.path)).toBe(false)
})

test('a copy reads one state of its source, even while that is being written to', async () => {
  const location = freshLocation()
  using database = openFile(location, true)
  const counts = await readSqlite(location, async ({ rows }) => {
    const count = async () => (await Array.fromAsync(rows('pets'))).flat().length
    const before = await count()
    database.run("INSERT INTO pets VALUES (1, 'Rex', 1, 'sold')")
    return [before, await count()]
  })
  expect(counts).toEqual([0, 0])
})
