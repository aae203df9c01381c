import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { databaseUrl } from '../../src/config/database-url.ts'
import type { Environment } from '../../src/contract/servers.ts'
import { engineOf } from '../../src/store/engines.ts'
import { petstore } from '../support/service/cli.ts'
import { engineAt } from '../support/service/engine-at.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'

const PAGE = 4096

/** One of our databases, closed properly: a single file. */
async function ourDatabase(environment: Environment = 'production'): Promise<string> {
  const url = await freshSqliteUrl()
  const store = await engineOf({ database: databaseUrl.parse(url), environment }).open({ create: true })
  await store.close()
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
      database.run('PRAGMA user_version = 999')
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
  ['a database cut in half', /damaged/, () => cutInHalf()],
]

async function damage(from: number, to: number): Promise<string> {
  const path = await ourDatabase()
  const bytes = await readFile(path)
  bytes.fill(0xa5, from, to)
  await writeFile(path, bytes)
  return path
}

async function cutInHalf(): Promise<string> {
  const path = await ourDatabase()
  await truncate(path, Math.floor((await readFile(path)).length / 2))
  return path
}

test.each(cases)('%s is refused in a sentence and left as it is', async (_what, sentence, make) => {
  const path = await make()
  const before = await readFile(path)
  for (const create of [true, false]) {
    const opening = engineAt(`sqlite:${path}`).open({ create })
    await expect(opening).rejects.toThrow(sentence)
    await expect(opening).rejects.toThrow(path)
  }
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('commands say so with exit code 1', async () => {
  const path = await otherFile()
  await writeFile(path, 'Dear diary, today I adopted a cat.\n'.repeat(100))
  for (const command of ['serve --port 0', 'keys list', 'keys create --create --name x']) {
    const { code, stdout, stderr } = await petstore(command.split(' '), { DATABASE_URL: `sqlite:${path}` })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^petstore: [^\n]+ is not an SQLite database, [^\n]+\.\n$/)
  }
})

test('an empty file is taken for a new database, and a folder that does not exist yet is made', async () => {
  const path = await otherFile()
  await writeFile(path, '')
  for (const each of [path, path.replace('animals.db', 'a/b/c/animals.db')])
    await (await engineAt(`sqlite:${each}`).open({ create: true })).close()
})
