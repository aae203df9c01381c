import { afterAll, expect, test } from 'bun:test'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { petJson } from '../support/http.ts'
import { ADD_LOCK, freshPostgresUrl, holding, query, someoneWaits, waiting } from '../support/postgres.ts'
import { atOnce, eventually, isPending } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { addTo, failureOf, openStore } from '../support/store.ts'

const databaseUrl = await freshPostgresUrl()
const store = await openStore(databaseUrl)
afterAll(() => store.close())

const add = () => addTo(store)

const STRANGERS = 300

test('another who holds what a write needs makes it unavailable, and what was refused is not added later', async () => {
  await using held = await holding(databaseUrl, 'LOCK TABLE pets')
  await expect(add()).rejects.toMatchObject({ name: 'StorageUnavailable' })
  const { rows } = await held.holder.query<{ id: string }>('SELECT id FROM pets')
  await held.end()
  // A write that is still waiting would come before this one.
  const { pet: next } = await add()
  const ids = [...rows.map(({ id }) => id), String(next.id)].toSorted()
  const found = await query<{ id: string }>(databaseUrl, 'SELECT id FROM pets')
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids)
})

test('a health check does not wait for a batch', async () => {
  // On a busy machine, a batch may be given up before the check is made. After that, a check tries a create, which waits too.
  await eventually('a check is answered while a batch waits', async () => {
    await eventually('it is available', () => add().catch(() => undefined))
    await using held = await holding(databaseUrl, ADD_LOCK)
    const adding = failureOf(add())
    while (isPending(adding) && (await waiting(databaseUrl)).length === 0);
    const isChecked = (await failureOf(store.ping())) === undefined && isPending(adding)
    await held.end()
    await adding
    return isChecked || undefined
  })
})

test('calls beyond the queue for a connection are refused immediately', async () => {
  await using held = await holding(databaseUrl, 'LOCK TABLE pets')
  const call = async () => store.findPet(1n)
  const calls = Array.from({ length: 5100 }, () => call().catch(({ cause }) => String(cause)))
  expect(await Promise.race(calls)).toContain('Too many requests wait')
  await held.end()
  await Promise.all(calls)
  await eventually('it is available again', () => add().catch(() => undefined))
})

test('keys that strangers made up wait for one connection, which nothing else needs, and their failures are short in the log', async () => {
  using service = await startService({ databaseUrl })
  const { pet } = await service.post(petJson({}))
  await using held = await holding(databaseUrl, 'LOCK TABLE api_keys')
  const strangers = atOnce(STRANGERS, () => service.fetch('/v1/pets', { key: generateApiKey('production') }))
  await someoneWaits(databaseUrl)
  for (let n = 0; n < 100; n++) expect(await service.fetch(`/v1/pets/${pet.id}`)).toHaveStatus(200)
  expect([(await service.post(petJson({}))).status, (await service.fetch('/readyz')).status]).toEqual([
    201, 200,
  ])
  expect(await waiting(databaseUrl)).toHaveLength(1)
  // The first of them gives up after two seconds, and the others do not wait that long for its connection.
  const answers = await strangers
  expect(new Set(answers.map(({ failure }) => failure))).toEqual(new Set(['503 unavailable']))
  await held.end()
  const unknown = await service.fetch('/v1/pets', { key: generateApiKey('production') })
  expect(unknown.failure).toBe('401 invalid_api_key')
  const failures = await eventually('all failures are logged', () => {
    const lines = service.output.lines.filter(line => line.includes('"request-failed"'))
    return lines.length >= STRANGERS ? lines : undefined
  })
  expect(failures.filter(line => line.length > 300 || line.includes('stack'))).toEqual([])
})

test('instances that record the use of the same keys at the same moment lose no call and do not deadlock', async () => {
  const ids = ['busy_a', 'busy_b', 'busy_c']
  for (const id of ids.toReversed())
    await query(databaseUrl, `INSERT INTO api_keys VALUES ('${id}', '${id}', '${id}', '${id}', 0)`)
  // Without an order of their own, rows would be locked in the order of the uses, of the index or of the table.
  const stores = await Promise.all(
    ['seqscan', 'indexscan'].map(way => {
      const off = `${way} bitmapscan hashjoin mergejoin`.replaceAll(/\w+/g, '-c enable_$&=off')
      return openStore(`${databaseUrl}?options=${encodeURIComponent(off)}`, { create: false })
    }),
  )
  await using held = await holding(databaseUrl, "SELECT FROM api_keys WHERE id = 'busy_b' FOR UPDATE")
  const recording = stores.map((store, place) => {
    const order = place === 0 ? ids : ids.toReversed()
    return store.keys.recordUses(order.map(id => ({ id, at: new Date(), deprecatedCalls: 1 })))
  })
  await eventually('both wait', async () => (await waiting(databaseUrl)).length === 2 || undefined)
  await held.end()
  await Promise.all(recording)
  await Promise.all(stores.map(store => store.close()))
  const used = 'DISTINCT deprecated_calls, last_used_at >= deprecated_call_at AS used'
  const found = await query(databaseUrl, `SELECT ${used} FROM api_keys WHERE id LIKE 'busy_%'`)
  expect(found).toEqual([{ deprecated_calls: '2', used: true }])
})
