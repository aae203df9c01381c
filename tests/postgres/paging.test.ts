import { expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../support/http/exact.ts'
import { Follower, faultsOf, NO_FAULTS } from '../support/http/paging.ts'
import { freshPostgresUrl } from '../support/postgres/engine.ts'
import { type Service, startService } from '../support/service/service.ts'

const INSTANCES = 3
const WRITERS_EACH = 8
const ANIMALS_EACH = 60

/** Follows the links of the service; the last page has none, so it is requested again. */
function pagesOf(service: Service, query: string) {
  let target = `/v1/pets?${query}`
  let newest = 0n
  return async (): Promise<bigint[]> => {
    const answer = await service.fetch(target)
    expect(answer.status).toBe(200)
    const ids = answer.pets.map(({ id }) => id).filter(id => id > newest)
    newest = ids.at(-1) ?? newest
    target = answer.link('next') ?? target
    return ids
  }
}

test('while three instances add animals, clients that page on each of them see every animal once, in order', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startService({ databaseUrl })))
  const followers = instances.map(instance => new Follower(pagesOf(instance, 'limit=7')))
  const ofStatus = new Follower(pagesOf(instances[0] as Service, 'limit=5&status=pending'))
  const following = Promise.all([...followers, ofStatus].map(follower => follower.follow()))

  const added: bigint[] = []
  const write = async (instance: Service): Promise<void> => {
    for (let n = 0; n < ANIMALS_EACH; n++)
      added.push((await instance.post(petJson({ name: `n${n}`, status: 'pending' }))).pet.id)
  }
  await Promise.all(
    instances.flatMap(instance => Array.from({ length: WRITERS_EACH }, () => write(instance))),
  )
  for (const follower of [...followers, ofStatus]) follower.stopAtTheEnd()
  await following

  expect(added).toHaveLength(INSTANCES * WRITERS_EACH * ANIMALS_EACH)
  for (const { seen } of [...followers, ofStatus]) expect(faultsOf(seen, added)).toEqual(NO_FAULTS)
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0, 0])
})

test('the same check sees the animal that identifiers from a sequence would hide', async () => {
  const connectionString = await freshPostgresUrl()
  const [early, late, reader] = await Promise.all(
    [1, 2, 3].map(async () => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      return client
    }),
  )
  if (!early || !late || !reader) throw new Error('no clients')
  await reader.query('CREATE TABLE animals (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)')
  const follower = new Follower(async after => {
    const { rows } = await reader.query('SELECT id FROM animals WHERE id > $1 ORDER BY id LIMIT 7', [after])
    // The transaction with the lower identifier commits only after a reader has passed it.
    if (rows.length > 0) await early.query('COMMIT')
    return rows.map(({ id }) => BigInt(id))
  })
  const insert = 'INSERT INTO animals DEFAULT VALUES RETURNING id'
  await early.query('BEGIN')
  const added = [await early.query(insert), await late.query(insert)].map(({ rows }) => BigInt(rows[0].id))
  follower.stopAtTheEnd()
  await follower.follow()
  expect(faultsOf(follower.seen, added)).toEqual({ ...NO_FAULTS, skipped: [1n] })
  await Promise.all([early, late, reader].map(client => client.end()))
})
