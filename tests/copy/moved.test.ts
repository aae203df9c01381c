import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../support/http.ts'
import { BALANCED, balance, Load } from '../support/load.ts'
import { query } from '../support/postgres.ts'
import { createKey, eventually, inTerminal, pathOf, petstore, start } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { makeStore } from '../support/store.ts'
import { fresh, PLACES } from './stores.ts'

test.each(PLACES)(
  'whatever a service on %s acknowledges while its store is copied is in the copy, and then nothing more',
  async place => {
    const [source, target] = [await fresh(place), await fresh('sqlite')]
    using service = await startService({ databaseUrl: source })
    const load = new Load(() => service.url)
    await eventually('animals are added', () => load.acknowledged.size > 100 || undefined)
    expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(0)
    await load.stop()
    const copied = new Database(pathOf(target)).query<{ id: string; name: string }, []>(
      'SELECT CAST(id AS TEXT) AS id, name FROM pets',
    )
    expect(balance(load, copied.all())).toEqual(BALANCED)
    expect((await service.post(petJson({}))).failure).toBe('503 unavailable')
    expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
    expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(2)
    expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
    await petstore(['copy', '--unmark', source, '--yes'])
    await eventually('it is ready', async () => (await service.fetch('/readyz')).status === 200 || undefined)
    expect((await service.post(petJson({}))).status).toBe(201)
    // Also before any animal was refused.
    await petstore(['copy', '--from', source, '--to', await fresh('sqlite')])
    expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  },
)

test('an animal that waits for the lock under which a store is marked as moved is refused', async () => {
  const source = await fresh('sqlite')
  using service = await startService({ databaseUrl: source, inThread: true })
  expect(await service.post(petJson({}))).toHaveStatus(201)
  using database = new Database(pathOf(source))
  database.run('BEGIN IMMEDIATE')
  const adding = service.post(petJson({}))
  // The writer has the call by now, and tries for 2 seconds to get the lock.
  await eventually(
    'it waits',
    async () => (await Promise.race([adding, Bun.sleep(200)])) === undefined || undefined,
  )
  database.run("INSERT INTO meta (name, value) VALUES ('moved_to', 'elsewhere')")
  database.run('COMMIT')
  expect((await adding).failure).toBe('503 unavailable')
  expect(database.query('SELECT count(*) AS count FROM pets').get()).toEqual({ count: 1 })
})

test.each(PLACES)(
  'a copied store on %s is refused by every command, which names the new place, until it is unmarked',
  async place => {
    const [source, target] = [await fresh(place), await fresh('sqlite')]
    const key = await createKey(source, 'x')
    const copied = await petstore(['copy', '--from', source, '--to', target])
    expect(copied.stdout).toContain('The source is marked as moved')
    const again = await petstore(['copy', '--from', source, '--to', await fresh('sqlite')])
    expect(again.stderr).toContain(`was copied to ${pathOf(target)}`)
    for (const command of ['keys list', 'keys revoke x --yes', 'serve --port 0']) {
      const { code, stderr } = await petstore(command.split(' '), { DATABASE_URL: source })
      const named = place === 'sqlite' ? source : source.replace(/\/\/.*@/, '//')
      expect(`${code} ${stderr}`).toBe(
        `2 petstore: The database ${named} was copied to ${pathOf(target)}. Use that one.\n`,
      )
    }
    const unmarking = await petstore(['copy', '--unmark', source])
    expect(`${unmarking.code} ${unmarking.stderr}`).toMatch(/^2 .*the same identifiers .*; add --yes\.\n$/)
    const question = { to: 'Continue? [y/N] ' }
    const declined = await inTerminal(['copy', '--unmark', source], {}, { ...question, with: 'n\n' })
    expect([declined.code, (await petstore(['keys', 'list'], { DATABASE_URL: source })).code]).toEqual([1, 2])
    const agreed = await inTerminal(['copy', '--unmark', source], {}, { ...question, with: 'y\n' })
    expect([agreed.code, agreed.text]).toEqual([
      0,
      expect.stringContaining(`If ${pathOf(target)} is used too`),
    ])
    const unmarked = await petstore(['copy', '--unmark', source])
    expect([unmarked.code, unmarked.stdout]).toEqual([0, expect.stringContaining('is not marked')])
    using service = await startService({ databaseUrl: source })
    expect(await service.fetch('/v1/pets', { key })).toHaveStatus(200)
  },
)

test.each(PLACES)(
  'a store on %s whose copy was killed says that it was begun, and to run it again, until a copy is complete',
  async place => {
    const [source, target] = [await fresh(place), await fresh('postgres')]
    await makeStore(source, ['Rex'])
    await makeStore(target, [])
    const client = new pg.Client({ connectionString: target })
    await client.connect()
    await client.query('BEGIN; LOCK TABLE pets IN ROW EXCLUSIVE MODE')
    const copy = ['copy', '--from', source, '--to', target]
    const { child } = start(copy)
    await eventually('the copy waits for the lock', async () => {
      const sql =
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
      const waiting = await query(target, sql)
      return waiting.length > 0 || undefined
    })
    child.kill('SIGKILL')
    await child.exited
    await client.end()
    const listing = async () => (await petstore(['keys', 'list'], { DATABASE_URL: source })).stderr
    expect(await listing()).toMatch(
      /A copy of .* was begun and is not complete\. .*run it again with the same/,
    )
    const doctor = await petstore(['doctor', '--port', '0'], { DATABASE_URL: source })
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('run it again')])
    expect((await petstore(copy)).code).toBe(0)
    expect(await query(target, 'SELECT name FROM pets')).toEqual([{ name: 'Rex' }])
    expect(await listing()).toContain('was copied to postgres://')
  },
)
