import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { createKey, petstore } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'

const PAGE = 4096

/** One of our databases, closed properly: a single file. */
async function ourDatabase(environment = 'production'): Promise<string> {
  const url = await freshSqliteUrl()
  const { code, stderr } = await petstore(
    ['keys', 'create', '--create', '--name', 'x', '--env', environment],
    {
      DATABASE_URL: url,
    },
  )
  if (code !== 0) throw new Error(stderr)
  return url.replace('sqlite:', '')
}

const otherFile = async (): Promise<string> => (await freshSqliteUrl()).replace('sqlite:', '')

const cases: [string, RegExp, () => Promise<string>][] = [
  [
    'a database of a newer release',
    /was written by a newer release \(schema 999; this release knows \d+\)/,
    async () => {
      const path = await ourDatabase()
      const database = new Database(path)
      database.run("INSERT INTO migrations VALUES (999, '0999-future', 0)")
      database.run('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      return path
    },
  ],
  [
    'the database of the other environment',
    /belongs to staging; this is production/,
    () => ourDatabase('staging'),
  ],
  [
    'a database of another program',
    /database of another program/,
    async () => {
      const path = await otherFile()
      const database = new Database(path)
      database.run('CREATE TABLE bookmarks (url TEXT)')
      database.close()
      return path
    },
  ],
  [
    'a file that is no database',
    /is not an SQLite database, or it is damaged/,
    async () => {
      const path = await otherFile()
      await writeFile(path, 'Dear diary, today I adopted a cat.\n'.repeat(100))
      return path
    },
  ],
  [
    'a file of a few bytes',
    /is not an SQLite database, or it is damaged/,
    async () => {
      const path = await otherFile()
      await writeFile(path, 'SQL')
      return path
    },
  ],
  ['a database with a damaged header', /damaged/, () => damage(0, 16)],
  ['a database with a damaged schema', /damaged/, () => damage(100, PAGE)],
  ['a database with a damaged table of ours', /damaged/, () => damage(PAGE, 3 * PAGE)],
  ['a database cut in half', /is truncated/, () => cutTo(0.5)],
  ['a database that lacks its last byte', /is truncated/, () => cutTo(0.9999)],
]

async function damage(from: number, to: number): Promise<string> {
  const path = await ourDatabase()
  const bytes = await readFile(path)
  bytes.fill(0xa5, from, to)
  await writeFile(path, bytes)
  return path
}

async function cutTo(part: number): Promise<string> {
  const path = await ourDatabase()
  await truncate(path, Math.floor((await readFile(path)).length * part))
  return path
}

describe('a file that is not ours to use is refused and left as it is', () => {
  test.each(cases)('%s', async (_what, sentence, make) => {
    const path = await make()
    const before = await readFile(path)
    for (const command of [
      ['serve', '--port', '0'],
      ['keys', 'list'],
      ['keys', 'create', '--create', '--name', 'x'],
    ]) {
      const { code, stdout, stderr } = await petstore(command, { DATABASE_URL: `sqlite:${path}` })
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^petstore: [^\n]+\.\n$/)
      expect(stderr).toMatch(sentence)
      expect(stderr).toContain(path)
      expect((await readFile(path)).equals(before)).toBe(true)
    }
  })

  test('an empty file is taken for a new database', async () => {
    const path = await otherFile()
    await writeFile(path, '')
    expect(await createKey(`sqlite:${path}`, 'x')).toStartWith('pets_live_')
  })

  test('a folder that does not exist yet is made', async () => {
    const path = (await otherFile()).replace('animals.db', 'a/b/c/animals.db')
    expect(await createKey(`sqlite:${path}`, 'x')).toStartWith('pets_live_')
  })
})
