import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { createKey, petstore } from '../support/service/cli.ts'
import { makeEmptyStore } from '../support/service/empty-store.ts'
import { fresh, PLACES, query } from './places.ts'
import { pathOf, seedSqlite } from './seed.ts'

async function contentOf(databaseUrl: string): Promise<string> {
  if (databaseUrl.startsWith('sqlite:')) return readFileSync(pathOf(databaseUrl)).toString('base64')
  const rows = await query(
    databaseUrl,
    `SELECT (SELECT json_agg(pets) FROM pets) AS pets, (SELECT json_agg(api_keys) FROM api_keys) AS keys,
            (SELECT json_agg(meta) FROM meta) AS meta, (SELECT last_id FROM pet_counter) AS last_id`,
  )
  return JSON.stringify(rows)
}

/** Keeps a database busy, like a service that writes to it. */
async function occupy(databaseUrl: string): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Database(pathOf(databaseUrl))
    database.query('SELECT count(*) FROM pets').get()
    return async () => database.close()
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('BEGIN; UPDATE pet_counter SET last_id = last_id')
  return async () => {
    await client.query('ROLLBACK')
    await client.end()
  }
}

describe.each(PLACES)('a copy into %s', place => {
  test('is refused on a target with as much as one key, which stays as it is', async () => {
    const source = await fresh('sqlite')
    const target = await fresh(place)
    await seedSqlite(source, 10)
    await createKey(target, 'mine')
    const before = await contentOf(target)
    const { code, stderr } = await petstore(['copy', '--from', source, '--to', target])
    expect(code).toBe(1)
    expect(stderr).toContain('is not empty')
    expect(await contentOf(target)).toBe(before)
  })

  test('is refused on a target that something else is working on', async () => {
    const source = await fresh('sqlite')
    const target = await fresh(place)
    await seedSqlite(source, 10)
    await makeEmptyStore(target)
    const release = await occupy(target)
    const { code, stderr } = await petstore(['copy', '--from', source, '--to', target])
    await release()
    expect(stderr).toContain('is in use')
    expect(code).toBe(5)
    expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(0)
  })

  test('is refused for a source of the other environment', async () => {
    const source = await fresh('sqlite')
    const target = await fresh(place)
    await createKey(source, 'rehearsal', '--env', 'staging')
    const { code, stderr } = await petstore(['copy', '--from', source, '--to', target])
    expect(code).toBe(1)
    expect(stderr).toContain('belongs to staging; this is production')
    expect((await petstore(['copy', '--from', source, '--to', target, '--env', 'staging'])).code).toBe(0)
    expect((await petstore(['keys', 'list', '--env', 'staging'], { DATABASE_URL: target })).stdout).toContain(
      'rehearsal',
    )
  })

  test('from a source that does not exist makes neither of the two', async () => {
    const source = await fresh('sqlite')
    const target = await fresh('sqlite')
    const { code, stderr } = await petstore(['copy', '--from', source, '--to', target])
    expect(code).toBe(3)
    expect(stderr).toContain('There is no database')
    expect([source, target].map(url => existsSync(pathOf(url)))).toEqual([false, false])
  })
})

test('a password is never shown, whatever goes wrong', async () => {
  const url = new URL(await fresh('postgres'))
  url.password ||= 'h0rse-battery'
  const target = url.href
  const source = await fresh('sqlite')
  await seedSqlite(source, 10)
  const runs = [
    await petstore(['copy', '--from', source, '--to', target]),
    await petstore(['copy', '--from', source, '--to', target]),
    await petstore(['copy', '--from', target, '--to', target]),
    await petstore(['copy', '--from', target.replace(/\/[^/]*$/, '/nowhere'), '--to', source]),
    await petstore(['copy', '--from', target.replace('postgres://', 'mysql://'), '--to', source]),
    await petstore(['copy', '--from', target.replace(/:\d+\//, ':1/'), '--to', source]),
  ]
  expect(runs.map(({ code }) => code)).toEqual([0, 1, 2, 1, 2, 5])
  expect(JSON.stringify(runs)).not.toContain(url.password)
})
