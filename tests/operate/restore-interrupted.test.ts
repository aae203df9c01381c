import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { petstore } from '../support/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/folder.ts'
import { commandLine, environmentWith } from '../support/process.ts'

const KILLS = 24
const OLD = 3000
const NEW = 2000

/** Adds animals to a database that no service has open. */
function fill(path: string, count: number): void {
  const database = new Database(path)
  database.run(
    `INSERT INTO pets (name, category_id, status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'animal ' || i, i, 'sold' FROM n`,
    [count],
  )
  database.close()
}

/** How many animals a database has that is whole. */
function animalsIn(path: string): number {
  const database = new Database(path, { readwrite: true })
  try {
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return (database.query('SELECT count(*) AS count FROM pets').get() as { count: number }).count
  } finally {
    database.close()
  }
}

test('a restore that is killed at any moment leaves the old database or the new one, whole', async () => {
  const databaseUrl = await freshSqliteUrl()
  const path = databaseUrl.replace('sqlite:', '')
  const file = join(await freshFolder(), 'backup.db')
  await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
  fill(path, NEW)
  expect((await petstore(['backup', file], { DATABASE_URL: databaseUrl })).code).toBe(0)
  const started = performance.now()
  expect((await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })).code).toBe(0)
  const wholeMs = performance.now() - started
  fill(path, OLD - NEW)

  const seen = new Set<number>()
  for (let kill = 0; kill < KILLS; kill++) {
    const child = Bun.spawn(commandLine('restore', file, '--force'), {
      env: environmentWith({ DATABASE_URL: databaseUrl }),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await Bun.sleep((wholeMs * (kill + 1)) / KILLS)
    child.kill('SIGKILL')
    await child.exited
    const animals = animalsIn(path)
    seen.add(animals)
    if (animals === NEW) fill(path, OLD - NEW)
  }
  expect([...seen].filter(count => count !== OLD && count !== NEW)).toEqual([])
  const last = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
  expect(last).toMatchObject({ code: 0, stderr: '' })
  expect(animalsIn(path)).toBe(NEW)
  expect(readdirSync(dirname(path)).filter(name => name.includes('.restoring'))).toEqual([])
})
