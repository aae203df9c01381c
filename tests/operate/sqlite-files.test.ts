import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { IDEMPOTENCY_LIFETIME_MS } from '../../src/contract/limits.ts'
import { engineAt } from '../support/service/engine-at.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { makeStore } from '../support/service/stored-pets.ts'

const pathOf = (url: string): string => url.replace('sqlite:', '')

/** Changes a stored database directly. */
async function changed(sql: string): Promise<string> {
  const url = await freshSqliteUrl()
  await makeStore(
    url,
    Array.from({ length: 100 }, (_, n) => `animal ${n}`),
  )
  const database = new Database(pathOf(url))
  database.run(sql)
  database.close()
  return url
}

async function made(make: (path: string) => void): Promise<string> {
  const url = await freshSqliteUrl()
  make(pathOf(url))
  return url
}

const pipe = (path: string): void => void spawnSync('mkfifo', [path])

async function cut(): Promise<string> {
  const url = await changed('SELECT 1')
  const path = pathOf(url)
  truncateSync(path, readFileSync(path).length - 1)
  return url
}

const contentOf = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'latin1') : ''

describe('a file that is not ours to use is refused in a sentence and stays as it is', () => {
  test.each<[what: string, url: () => Promise<string>, sentence: RegExp]>([
    ['a folder', () => made(path => mkdirSync(path)), /is not a file\. Name the file of a database\.$/],
    ['a pipe', () => made(pipe), /is not a file\. Name the file of a database\.$/],
    [
      'a pipe in the place of the log',
      () => made(path => pipe(`${path}-wal`)),
      /-wal is not a file\. Remove it\.$/,
    ],
    [
      'a text',
      () => made(path => writeFileSync(path, 'x'.repeat(5000))),
      /is not an SQLite database, or it is damaged/,
    ],
    ['cut short', cut, /is truncated\. It was not changed\.$/],
    [
      'of another program',
      () => made(path => new Database(path).run('CREATE TABLE x (y)')),
      /of another program/,
    ],
    ['of another program by its mark', () => changed('PRAGMA application_id = 1'), /of another program/],
    [
      'of a newer release',
      () => changed('PRAGMA user_version = 999'),
      /written by a newer release \(schema 999/,
    ],
    [
      'of the other environment',
      () => changed("UPDATE meta SET value = 'staging' WHERE name = 'environment'"),
      /belongs to staging; this is production\. It was not changed\.$/,
    ],
  ])('%s', async (_what, makeUrl, sentence) => {
    const url = await makeUrl()
    const before = contentOf(pathOf(url))
    for (const create of [true, false]) await expect(engineAt(url).open({ create })).rejects.toThrow(sentence)
    expect(contentOf(pathOf(url))).toBe(before)
  })

  test('one that does not exist is not made by a command that only reads', async () => {
    const url = await freshSqliteUrl()
    await expect(engineAt(url).open({ create: false })).rejects.toThrow(/^There is no database at /)
    expect(readdirSync(dirname(pathOf(url)))).toEqual([])
  })
})

test('expired idempotency keys go with the next start, and two more with each new key', async () => {
  const url = await freshSqliteUrl()
  await makeStore(url, ['Rex'])
  const expire = (count: number): void => {
    const database = new Database(pathOf(url))
    const insert = database.query(
      'INSERT INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, 1, ?)',
    )
    for (let n = 0; n < count; n++) insert.run('old', String(n), Date.now() - IDEMPOTENCY_LIFETIME_MS - n)
    database.close()
  }
  const remembered = (): unknown => {
    using database = new Database(pathOf(url), { readonly: true })
    return database.query('SELECT count(*) FROM idempotency').values()[0]?.[0]
  }
  expire(50)
  const store = await engineAt(url).open({ create: false, caller: 'service' })
  expect(remembered()).toBe(0)
  expire(5)
  const pet = { name: 'Mia', categoryId: 1n, status: 'sold' } as const
  for (const [key, left] of [
    ['a', 4],
    ['b', 3],
    ['c', 3],
  ] as const) {
    await store.addPet({ pet, idempotency: { keyId: 'x', key } })
    expect(remembered()).toBe(left)
  }
  await store.close()
})
