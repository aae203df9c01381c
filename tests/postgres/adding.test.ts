import { afterAll, expect, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import functions from '../../src/store/postgres/functions.sql' with { type: 'text' }
import type { Store } from '../../src/store/store.ts'
import { ADD_LOCK, freshPostgresUrl, holding, onInsert, query, someoneWaits } from '../support/postgres.ts'
import { addTo, failureOf, makeStore, openStore } from '../support/store.ts'

const databaseUrl = await freshPostgresUrl()
const store = await openStore(databaseUrl)
afterAll(() => store.close())

const add = (key?: string) => addTo(store, 'Rex', key)
const idOf = async (adding: ReturnType<typeof add>): Promise<bigint> => (await adding).pet.id

/** Does something else before animals are published, until it is restored. */
async function replacing(statement: string) {
  const sql = `ALTER FUNCTION publish RENAME TO publish_then;
   CREATE FUNCTION publish(highest bigint) RETURNS void LANGUAGE plpgsql AS
     $$ BEGIN ${statement}; PERFORM publish_then(highest); END $$`
  await query(databaseUrl, sql)
  const back = 'DROP FUNCTION publish; ALTER FUNCTION publish_then RENAME TO publish'
  const restore = () => query(databaseUrl, back)
  return { restore, [Symbol.asyncDispose]: async () => void (await restore()) }
}

test.each([
  ['its animal was deleted by hand', 'DELETE FROM pets WHERE id = ID'],
  ['animals were restored without the sequence', "SELECT setval('pet_ids', 0)"],
])('an identifier is not given again when %s', async (_what, statement) => {
  const last = await idOf(add())
  await query(databaseUrl, statement.replace('ID', String(last)))
  await using other = await openStore(databaseUrl, { create: false })
  expect((await addTo(other)).pet.id).toBe(last + 1n)
})

test.each<[how: string, see: (by: Store, id: bigint) => unknown]>([
  ['added', by => addTo(by)],
  ['listed', (by, id) => by.listPets({ after: id - 1n, limit: 1, status: undefined })],
  ['found', (by, id) => by.findPet(id)],
])('an identifier that the server has forgotten is not given again by who has %s it', async (_how, see) => {
  await using other = await openStore(databaseUrl, { create: false })
  const [older, last] = [await idOf(add()), await idOf(add())]
  await see(other, last)
  // What it sees later makes it forget nothing.
  await other.findPet(older)
  await query(databaseUrl, "DELETE FROM pets; DELETE FROM recovered; SELECT setval('pet_ids', 0)")
  expect((await addTo(other)).pet.id).toBeGreaterThan(last)
})

test.each([
  ['earlier', 'FFFFFFFF'],
  ['later', ''],
])(
  'on a timeline that is %s, where commits may be lost, a million identifiers are skipped',
  async (_which, known) => {
    const another = await freshPostgresUrl()
    await makeStore(another, ['Rex'])
    await query(another, `UPDATE meta SET value = '${known}' WHERE name = 'timeline'`)
    for (const name of ['Mia', 'Leo']) await makeStore(another, [name])
    const ids = await query<{ id: string }>(another, 'SELECT id FROM pets ORDER BY id')
    expect(ids.map(({ id }) => Number(id))).toEqual([1, 2 ** 20 + 2, 2 ** 20 + 3])
  },
)

test('a warning that says nothing about standbys does not put the outcome in doubt', async () => {
  await using _ = await onInsert(databaseUrl, 'pets', 'before', "RAISE WARNING 'beware'")
  expect((await add()).replayed).toBe(false)
})

test('a commit waits for the disk whatever the role says, and the server gives up on a machine that is gone', async () => {
  const name = new URL(databaseUrl).pathname.slice(1)
  const sql = `CREATE TABLE seen (synchronous_commit text, tcp_user_timeout text, statement_timeout text);
   CREATE TABLE written (id bigint, lsn pg_lsn); CREATE TABLE published (id bigint, flushed pg_lsn)`
  await query(databaseUrl, sql)
  const settings = ['synchronous_commit', 'tcp_user_timeout', 'statement_timeout']
  const values = settings.map(setting => `current_setting('${setting}')`)
  await using _keys = await onInsert(
    databaseUrl,
    'api_keys',
    'at commit',
    `INSERT INTO seen VALUES (${values})`,
  )
  const write = 'INSERT INTO written VALUES (NEW.id, pg_current_wal_insert_lsn())'
  await using _pets = await onInsert(databaseUrl, 'pets', 'at commit', write)
  await using _publishing = await replacing(
    'INSERT INTO published VALUES (highest, pg_current_wal_flush_lsn())',
  )
  for (const configured of ['off', 'local', 'remote_write', 'on', 'remote_apply']) {
    await query(databaseUrl, `ALTER DATABASE ${name} SET synchronous_commit = ${configured}`)
    await using other = await openStore(databaseUrl, { create: false })
    await addTo(other)
    const { record } = newKey('production', configured)
    await other.keys.add(record)
    await other.keys.revoke(record.id, new Date())
  }
  const seen = await query(databaseUrl, 'SELECT * FROM seen')
  const written = await query(
    databaseUrl,
    'SELECT lsn < flushed AS is_on_disk FROM written JOIN published USING (id)',
  )
  expect(written).toEqual(Array(5).fill({ is_on_disk: true }))
  expect(seen).toEqual(
    ['on', 'local', 'remote_write', 'on', 'remote_apply'].flatMap(synchronous_commit =>
      Array(2).fill({ synchronous_commit, tcp_user_timeout: '10000', statement_timeout: '1900ms' }),
    ),
  )
})

test('publishing waits neither for the disk again nor for a standby, which may be gone for long after a crash', async () => {
  const sql = 'CREATE TABLE announced (id bigint); CREATE TABLE waits (for_what text); DELETE FROM recovered'
  await query(databaseUrl, sql)
  const note = "INSERT INTO waits VALUES (current_setting('synchronous_commit'))"
  await using _recovered = await onInsert(databaseUrl, 'recovered', 'at commit', note)
  await using _announced = await onInsert(databaseUrl, 'announced', 'at commit', note)
  await using _publishing = await replacing('INSERT INTO announced VALUES (highest)')
  await store.revision()
  await add()
  expect(await query(databaseUrl, 'SELECT * FROM waits')).toEqual(Array(2).fill({ for_what: 'off' }))
})

/** With standbys, the server leaves the publishing to the client. */
const WITH_STANDBYS = functions.replace("IF current_setting('synchronous_standby_names') = ''", 'IF false')

test.each([
  ['server', functions],
  ['client', WITH_STANDBYS],
])('animals that are not durable yet are not shown, if the %s publishes', async (_who, sql) => {
  await query(databaseUrl, sql)
  const before = await store.revision()
  // It has published nothing yet, as one that waits for a standby.
  const publishing = await replacing('RAISE query_canceled')
  await expect(add()).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  const [stored] = await query<{ id: string }>(databaseUrl, 'SELECT max(id) AS id FROM pets')
  const hidden = BigInt(stored?.id ?? 0)
  expect(hidden).toBeGreaterThan(before)
  const page = { after: hidden - 1n, limit: 1, status: undefined }
  expect([await store.revision(), await store.findPet(hidden), (await store.listPets(page)).json]).toEqual([
    before,
    undefined,
    '[]',
  ])
  await publishing.restore()
  const next = await idOf(add())
  expect(next).toBe(hidden + 1n)
  expect([await store.revision(), await store.findPet(hidden)]).toEqual([next, expect.anything()])
  await query(databaseUrl, functions)
})

test.each([
  ['query_canceled', 'StorageUnavailable'],
  ['disk_full', 'StorageUnavailable'],
  ['serialization_failure', 'StorageUnavailable'],
  ['check_violation', 'error'],
])('only a failure after the first commit (%s) leaves the outcome unknown', async (condition, known) => {
  const failure = () => failureOf(add())
  const last = await idOf(add())
  {
    await using _adding = await onInsert(databaseUrl, 'pets', 'before', `RAISE ${condition}`)
    expect(await failure()).toBe(known)
  }
  {
    await using _publishing = await replacing(`RAISE ${condition}`)
    expect(await failure()).toBe('OutcomeUnknown')
  }
  expect(await idOf(add())).toBe(last + 2n)
})

test('a page is of no later revision than the animals that it could show', async () => {
  const newest = await idOf(add())
  // Another instance may publish while the page is read.
  await query(databaseUrl, "SELECT setval('durable', last_value + 1) FROM durable")
  const page = await store.listPets({ after: newest - 1n, limit: 1, status: undefined })
  await add()
  expect(page.revision).toBe(newest)
})

test('a request that is repeated hides no newer animal, and only one call publishes at a time', async () => {
  await add('repeated')
  const newer = await idOf(add())
  expect((await add('repeated')).replayed).toBe(true)
  await using other = await holding(databaseUrl, ADD_LOCK.replace('852', '853'))
  const publishing = query(databaseUrl, 'SELECT publish(1)')
  await someoneWaits(databaseUrl)
  await other.end()
  await publishing
  expect(await store.findPet(newer)).toBeDefined()
})

test('after a crash, when nothing is published, whoever reads or adds first publishes what is there', async () => {
  const last = await idOf(add())
  for (const use of [() => store.revision(), () => store.findPet(last), add]) {
    await query(databaseUrl, 'DELETE FROM recovered')
    expect(await use()).toBeTruthy()
    expect(await store.findPet(last)).toBeDefined()
  }
})

test('a dump, which reads sequences in the order of their creation, reads the horizon before the last identifier', async () => {
  const sql = "SELECT 'durable'::regclass::oid < 'pet_ids'::regclass::oid AS first"
  expect(await query(databaseUrl, sql)).toEqual([{ first: true }])
})
