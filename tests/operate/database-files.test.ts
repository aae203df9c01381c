import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Exit } from '../../src/operator-error.ts'
import { freshPostgresUrl } from '../support/postgres.ts'
import { freshFolder, freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { expectRefused } from '../support/refused.ts'
import { startProcess } from '../support/service.ts'
import { runIn } from '../support/statements.ts'
import { animals, engineAt, makeStore, openStore } from '../support/store.ts'

const PAGE = 4096

/** The path of what a function makes there. */
async function made(make: (path: string) => unknown): Promise<string> {
  const path = pathOf(await freshSqliteUrl())
  make(path)
  return path
}

/** The path of one of our databases with animals, changed by SQL or in its bytes. */
async function ours(change: string | ((bytes: Buffer) => Uint8Array)): Promise<string> {
  const url = await freshSqliteUrl()
  await makeStore(url, animals(100))
  const path = pathOf(url)
  if (typeof change === 'string') runIn(path, change)
  else fs.writeFileSync(path, change(fs.readFileSync(path)))
  return path
}

const contentOf = (path: string): string =>
  fs.statSync(path, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(path, 'latin1') : ''
const allOf = (path: string): string[] => [contentOf(path), contentOf(`${path}-wal`)]

const NO_FILE = /is not a file\. Specify a database file\.$/
const NO_DATABASE = /is not an SQLite database, or it is damaged/
const TRUNCATED = /is truncated\. Nothing was changed\. .* restore BACKUP/
const DAMAGED = /damaged/
test.each<[what: string, exit: Exit, make: () => Promise<string>, sentence: RegExp]>([
  ['a folder', 'invalid', () => made(path => fs.mkdirSync(path)), NO_FILE],
  ['a pipe', 'invalid', () => made(path => spawnSync('mkfifo', [path])), NO_FILE],
  ['a text', 'refused', () => made(path => fs.writeFileSync(path, 'x'.repeat(5000))), NO_DATABASE],
  ['a file of a few bytes', 'refused', () => made(path => fs.writeFileSync(path, 'SQL')), NO_DATABASE],
  ['cut by one byte', 'refused', () => ours(bytes => bytes.subarray(0, -1)), TRUNCATED],
  ['cut in half', 'refused', () => ours(bytes => bytes.subarray(0, bytes.length / 2)), DAMAGED],
  ['with a damaged header', 'refused', () => ours(bytes => bytes.fill(0xa5, 0, 16)), DAMAGED],
  ['with a damaged schema', 'refused', () => ours(bytes => bytes.fill(0xa5, 100, PAGE)), DAMAGED],
  ['with a damaged table', 'refused', () => ours(bytes => bytes.fill(0xa5, PAGE, 3 * PAGE)), DAMAGED],
  [
    'of another program',
    'refused',
    () => made(path => runIn(path, 'CREATE TABLE x (y)')),
    /of another program/,
  ],
  [
    'of another program by its mark',
    'refused',
    () => ours('PRAGMA application_id = 1'),
    /of another program/,
  ],
  ['of a newer release', 'refused', () => ours('PRAGMA user_version = 2'), /by a newer release \(schema 2;/],
  [
    'of the other environment, with a log',
    'refused',
    async () => {
      const original = await ours(bytes => bytes)
      using database = new Database(original)
      database.run("UPDATE meta SET value = 'staging' WHERE name = 'environment'")
      return await made(path => {
        for (const part of ['', '-wal']) fs.copyFileSync(original + part, path + part)
      })
    },
    /belongs to staging; this is production\. It was not changed\.$/,
  ],
])('a file that is not ours is refused in a sentence, and stays: %s', async (_what, exit, make, sentence) => {
  const path = await make()
  const before = allOf(path)
  await expectRefused(`sqlite:${path}`, exit, sentence)
  const reading = () => engineAt(`sqlite:${path}`).open({ create: false })
  await expectRefused(`sqlite:${path}`, exit, path, { reading })
  expect(allOf(path)).toEqual(before)
})

test.each([-1, 2 * PAGE])('a file that is cut, but whole in its log, is opened: %s', async end => {
  const original = await ours(bytes => bytes)
  using database = new Database(original)
  database.run('PRAGMA wal_autocheckpoint = 0')
  database.run('VACUUM')
  const cut = await made(path => fs.writeFileSync(path, fs.readFileSync(original).subarray(0, end)))
  fs.copyFileSync(`${original}-wal`, `${cut}-wal`)
  await using store = await openStore(`sqlite:${cut}`, { create: false })
  expect(Buffer.from((await store.findPet(100n)) ?? '').toString()).toContain('animal 99')
})

test('a path that cannot be a database is refused in one sentence by all that would make a file there', async () => {
  const good = await ours(bytes => bytes)
  const file = await made(path => fs.writeFileSync(path, 'This is not a folder.\n'))
  const circle = await made(path => fs.symlinkSync(path, path))
  for (const path of [join(file, 'animals.db'), circle]) {
    const url = `sqlite:${path}`
    await expectRefused(url, 'invalid', path, {
      restore: () => engineAt(url).restore({ file: good, force: false, nextId: undefined }),
      backup: () => engineAt(`sqlite:${good}`).backUp({ file: path, force: false }),
    })
    const copied = await petstore(['copy', '--from', `sqlite:${good}`, '--to', url])
    const failure = expect.stringMatching(/^petstore: The copy failed[^\n]*[^.\n]\.\n$/)
    expect(copied).toEqual({ code: 2, stdout: '', stderr: failure })
  }
})

test('in a folder that was removed, a command says so and touches no other', async () => {
  const within = ['sh', '-c', 'cd "$0" && rmdir "$0" && exec "$@"', await freshFolder()]
  const { code, stderr } = await petstore(['keys', 'list'], {}, { within })
  expect([code, stderr]).toEqual([3, 'petstore: The current folder was removed. Change to another one.\n'])
})

describe('where there is no database', () => {
  test('a command says where it looked and what to do, in its environment, and --create makes one', async () => {
    const cwd = await freshFolder()
    const create = ['keys', 'create', '--name', 'x', '--env', 'staging']
    const { code, stderr } = await petstore(create, {}, { cwd })
    expect(code).toBe(3)
    expect(stderr).toStartWith(`petstore: There is no database at ${join(cwd, 'data/staging.db')}. Put it`)
    expect(stderr).toEndWith('petstore keys create --create --name first --env staging".\n')
    expect(fs.readdirSync(cwd)).toEqual([])
    expect((await petstore([...create, '--create'], {}, { cwd })).code).toBe(0)
    expect(fs.readdirSync(join(cwd, 'data'))).toEqual(['staging.db'])
  })

  test.each(['sqlite', 'postgres'])('serve --existing and its check are refused: %s', async engine => {
    const databaseUrl = engine === 'sqlite' ? await freshSqliteUrl() : await freshPostgresUrl()
    const variables = { DATABASE_URL: databaseUrl }
    for (const command of ['serve --existing', 'serve --existing --check']) {
      const { code, stderr } = await petstore(command.split(' '), variables)
      expect([command, code, stderr]).toEqual([command, 3, expect.stringContaining('There is no ')])
      expect(stderr).toContain('keys create --create')
    }
    await makeStore(databaseUrl)
    expect((await petstore(['serve', '--existing', '--check'], variables)).code).toBe(0)
    await using service = await startProcess({ databaseUrl, flags: ['--existing'] })
    await service.add()
  })

  test('a file that is empty or has no tables is none either, and becomes one when it is opened to be used', async () => {
    for (const content of ['', 'CREATE TABLE x (y); DROP TABLE x']) {
      const path = await made(path => (content === '' ? fs.writeFileSync(path, '') : runIn(path, content)))
      const before = contentOf(path)
      const reading = engineAt(`sqlite:${path}`).open({ create: false })
      await expect(reading).rejects.toThrow(`There is no database at ${path}`)
      expect(contentOf(path)).toBe(before)
      expect(fs.readdirSync(dirname(path))).toEqual(['animals.db'])
      await (await engineAt(`sqlite:${path}`).open({ create: true })).close()
    }
  })
})
