import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { createKey, eventually, petstore } from '../support/process.ts'
import { engineAt, type Service, startService } from '../support/service.ts'

let databaseUrl: string
let instances: Service[] = []

beforeAll(async () => {
  databaseUrl = await freshPostgresUrl()
  instances = await Promise.all([1, 2, 3].map(() => startService({ databaseUrl })))
})
afterAll(async () => {
  await Promise.all(instances.map(instance => instance.stop()))
})

const at = (place: number): Service => instances[place % instances.length] as Service

test('100 concurrent requests with one idempotency key over three instances make one animal, and every answer is that animal or a 409', async () => {
  const body = petJson({ name: 'Only One', categoryId: 9007199254740993n })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, place) => at(place).post(body, { 'Idempotency-Key': 'one-of-a-kind' })),
  )
  const added = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(added.map(({ text }) => text)).size).toBe(1)
  expect(new Set(refused.map(({ failure }) => failure))).toEqual(new Set(['409 idempotency_in_progress']))
  expect(added.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
  expect(await query(databaseUrl, "SELECT id FROM pets WHERE name = 'Only One'")).toHaveLength(1)
})

test('a revoked key is refused by every instance, and stays refused', async () => {
  const key = await createKey(databaseUrl, 'short lived')
  const statuses = () =>
    Promise.all(instances.map(async instance => (await instance.fetch('/v1/pets', { key })).status))
  expect(await statuses()).toEqual([200, 200, 200])
  expect(
    await petstore(['keys', 'revoke', 'short lived', '--yes'], { DATABASE_URL: databaseUrl }),
  ).toMatchObject({
    code: 0,
  })
  await eventually('all refuse', async () =>
    (await statuses()).every(status => status === 401) ? true : undefined,
  )
  // The key stays refused on every instance.
  for (let again = 0; again < 5; again++) expect(await statuses()).toEqual([401, 401, 401])
})

test('a page of one instance leads to the next page on another', async () => {
  for (let n = 0; n < 9; n++)
    await at(n).post(petJson({ name: `walk ${n}`, categoryId: 77n, status: 'sold' }))
  const names: string[] = []
  let target: string | undefined = '/v1/pets?status=sold&limit=2'
  for (let place = 0; target !== undefined; place++) {
    const answer = await at(place).fetch(target)
    names.push(...answer.pets.map(({ name }) => name))
    target = answer.link('next')
  }
  expect(names).toEqual(Array.from({ length: 9 }, (_, n) => `walk ${n}`))
})

test('instances that record the use of the same keys at the same moment lose no call and do not deadlock', async () => {
  const stores = await Promise.all(instances.map(() => engineAt(databaseUrl).open({ create: true })))
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
      "SELECT DISTINCT deprecated_calls, last_used_at >= deprecated_call_at AS used FROM api_keys WHERE id LIKE 'busy_%'",
    ),
  ).toEqual([{ deprecated_calls: String(5 * stores.length), used: true }])
})
