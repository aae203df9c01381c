import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillSqlite, markSqlite, readSqlite } from './copy.ts'
import { openFile } from './open.ts'

const freshLocation = () =>
  ({
    path: join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db'),
    environment: 'production',
  }) as const

/** Does something beside the first statement that begins like this, as another process could. */
function beside(beginning: string, act: () => void): Disposable {
  const { run } = Database.prototype
  let isDone = false
  return spyOn(Database.prototype, 'run').mockImplementation(function (this: Database, sql, ...values) {
    const isHere = !isDone && sql.startsWith(beginning)
    isDone ||= isHere
    if (isHere) act()
    return run.call(this, sql, ...values)
  })
}

const MARK = { role: 'target', other: 'elsewhere' } as const
const fill = (location: ReturnType<typeof freshLocation>) => fillSqlite(location, MARK, async () => 'filled')

test('a copy never replaces a file that appears under the name of its target', async () => {
  const location = freshLocation()
  using _appearing = beside('INSERT INTO meta (name, value) VALUES', () =>
    writeFileSync(location.path, 'theirs'),
  )
  await expect(fill(location)).rejects.toThrow('already exists')
  expect(readFileSync(location.path, 'utf8')).toBe('theirs')
})

test('a copy whose target another run has completed meanwhile writes nothing to it', async () => {
  const location = freshLocation()
  using _completing = beside('BEGIN IMMEDIATE', () => markSqlite(location))
  await expect(fill(location)).rejects.toMatchObject({ exit: 'unavailable' })
})

test('marking a missing database does not create a file', () => {
  expect(() => markSqlite(freshLocation(), MARK)).toThrow('There is no database at')
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
