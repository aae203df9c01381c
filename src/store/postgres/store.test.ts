import { expect, mock, test } from 'bun:test'
import {
  ADD_LOCK,
  freshPostgresUrl,
  holding,
  onInsert,
  query,
  waiting,
} from '../../../tests/support/postgres.ts'
import { eventually, isPending } from '../../../tests/support/process.ts'
import { addTo, failureOf, makeStore, openStore } from '../../../tests/support/store.ts'
import { PET_STATUSES } from '../../contract/pet.ts'
import type { StorageUnavailable } from '../errors.ts'
import type { Store } from '../store.ts'

test.each([
  ['as many animals', 'pets', 'IF NEW.id > 5 THEN RAISE disk_full; END IF'],
  ['a long name', 'pets', 'IF octet_length(NEW.name) > 1000 THEN RAISE disk_full; END IF'],
  ['a remembered request', 'idempotency', 'RAISE disk_full'],
])(
  'after a create that found no room, a store is not ready until there is room for %s',
  async (_what, table, statement) => {
    const databaseUrl = await freshPostgresUrl()
    await using store = await openStore(databaseUrl)
    {
      await using _full = await onInsert(databaseUrl, 'pets', 'before', 'RAISE disk_full')
      const failure = ({ name, trouble }: StorageUnavailable) => `${name}: ${trouble}`
      const adding = Array.from({ length: 10 }, () => addTo(store).catch(failure))
      expect(new Set(await Promise.all(adding))).toEqual(new Set(['StorageUnavailable: disk-full']))
    }
    {
      await using _little = await onInsert(databaseUrl, table, 'before', statement)
      expect(await failureOf(store.ping())).toBe('StorageUnavailable')
    }
    expect(await failureOf(store.ping())).toBeUndefined()
  },
)

test('in one batch, only requests with the same caller and idempotency key are the same, and a retry stores no batch', async () => {
  const observe = mock()
  await using store = await openStore(await freshPostgresUrl(), { create: true, observe })
  const add = (caller?: string) => addTo(store, 'Rex', caller && 'once', caller)
  const added = await Promise.all(['one', 'other', 'one', undefined, undefined].map(add))
  expect(added.map(({ pet }) => pet.id)).toEqual([1n, 2n, 1n, 3n, 4n])
  expect(added.map(({ replayed }) => replayed)).toEqual([false, false, true, false, false])
  await add('other')
  expect(observe.mock.calls).toEqual([[expect.objectContaining({ kind: 'batch-stored', size: 4 })]])
})

test('behind a pooler, which drops session settings, an abandoned statement stops waiting for its lock', async () => {
  const databaseUrl = await freshPostgresUrl()
  await using store = await openStore(`${databaseUrl}?pgbouncer=true`)
  await using _held = await holding(databaseUrl, ADD_LOCK)
  for (const attempt of [() => addTo(store), () => store.ping()]) {
    expect(await failureOf(attempt())).toBeString()
    const nobody = async () => (await waiting(databaseUrl)).length === 0 || undefined
    await eventually('nobody waits', nobody)
  }
})

test('after a crash, readers that are late publish nothing again, and hide nothing that was added since', async () => {
  const databaseUrl = await freshPostgresUrl()
  await using one = await openStore(databaseUrl)
  await using other = await openStore(databaseUrl)
  await addTo(one)
  // On a busy machine, one may give up before the other waits.
  const revisions = await eventually('both wait together', async () => {
    const held = await holding(databaseUrl, ADD_LOCK.replace('852', '853'))
    await query(databaseUrl, 'DELETE FROM recovered')
    const read = async (store: Store) => store.revision()
    const reading = Promise.all([one, other].map(store => read(store).catch(({ name }: Error) => name)))
    while (isPending(reading) && (await waiting(databaseUrl)).length < 2);
    // The first one has published, and then animals were added.
    await held.holder.query("SELECT setval('durable', 2); INSERT INTO recovered DEFAULT VALUES; COMMIT")
    await held.end()
    const outcomes = await reading
    return outcomes.includes('StorageUnavailable') ? undefined : outcomes
  })
  expect(revisions).toEqual([2n, 2n])
})

test('the database has an index for each status, and refuses an animal of another one', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl)
  const indexes = await query(databaseUrl, "SELECT indexdef FROM pg_indexes WHERE tablename = 'pets'")
  const definitions = indexes.map(({ indexdef }) => indexdef).join()
  for (const status of PET_STATUSES) expect(definitions).toContain(`(status = '${status}'::text)`)
  const inserting = query(databaseUrl, "INSERT INTO pets VALUES (1, 'Rex', 1, 'lost')")
  await expect(inserting).rejects.toMatchObject({ code: '23514' })
})
