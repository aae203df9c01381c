import { expect, test } from 'bun:test'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { engineAt } from '../support/service.ts'

test('instances that record the use of the same keys at the same moment lose no call and do not deadlock', async () => {
  const databaseUrl = await freshPostgresUrl()
  const stores = await Promise.all([1, 2, 3].map(() => engineAt(databaseUrl).open({ create: true })))
  const ids = Array.from({ length: 1000 }, (_, n) => `busy_${n}`)
  await query(
    databaseUrl,
    "INSERT INTO api_keys SELECT id, id, id, id, 0 FROM (SELECT 'busy_' || n AS id FROM generate_series(0, 999) n) AS ids",
  )
  for (let round = 0; round < 5; round++)
    await Promise.all(
      stores.map((store, place) => {
        const order = (round + place) % 2 ? ids : ids.toReversed()
        return store.keys.recordUses(order.map(id => ({ id, at: new Date(), deprecatedCalls: 1 })))
      }),
    )
  await Promise.all(stores.map(store => store.close()))
  expect(
    await query(
      databaseUrl,
      'SELECT DISTINCT deprecated_calls, last_used_at >= deprecated_call_at AS used FROM api_keys',
    ),
  ).toEqual([{ deprecated_calls: String(5 * stores.length), used: true }])
})
