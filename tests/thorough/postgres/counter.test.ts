import { expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../../support/http/exact.ts'
import { Follower, faultsOf, NO_FAULTS } from '../../support/http/paging.ts'
import { freshPostgresUrl } from '../../support/postgres/engine.ts'
import { query } from '../../support/postgres/server.ts'
import { startInstances } from '../../support/service/instances.ts'
import { startProcess } from '../../support/service/service-process.ts'

const DEAD_VERSIONS = 20_000
const CREATIONS = 50
/** Blocks of the counter's table and index; reading all dead versions takes over a hundred. */
const BLOCKS_EACH = 25

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** The blocks of the counter accessed so far. A session reports them when it ends. */
async function blocksRead(databaseUrl: string): Promise<number> {
  const [row] = await query<{ blocks: string }>(
    databaseUrl,
    `SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit AS blocks
     FROM pg_statio_user_tables WHERE relname = 'pet_counter'`,
  )
  return Number(row?.blocks)
}

test('a transaction that stays open does not make a creation pass what earlier ones left behind', async () => {
  const databaseUrl = await freshPostgresUrl()
  const first = await startProcess({ databaseUrl })
  await query(databaseUrl, 'VACUUM ANALYZE pet_counter')
  const holder = await connected(databaseUrl)
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM meta')
  await query(
    databaseUrl,
    `SET enable_seqscan = off; DO $$ BEGIN FOR n IN 1..${DEAD_VERSIONS} LOOP
       UPDATE pet_counter SET last_id = last_id + 1 WHERE last_id >= (SELECT max(last_id) FROM pet_counter);
     END LOOP; END $$`,
  )
  const service = await first.restart()
  const before = await blocksRead(databaseUrl)
  for (let n = 0; n < CREATIONS; n++) expect((await service.post(petJson({}))).status).toBe(201)
  expect(await service.stop()).toBe(0)
  expect(((await blocksRead(databaseUrl)) - before) / CREATIONS).toBeLessThan(BLOCKS_EACH)
  await holder.end()
})

/** How a release of schema 5 assigns an identifier and adds an animal. */
const AS_SCHEMA_5 = `
  WITH counter AS (UPDATE pet_counter SET last_id = greatest(last_id, 0) + 1 RETURNING last_id)
  INSERT INTO pets SELECT last_id, 'old', 1, 'available' FROM counter RETURNING id`

test('beside releases of schema 5, who page see every animal once and in order, and an animal deleted by hand frees nothing', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await startInstances(2, { databaseUrl })
  const [reader, ...old] = await Promise.all([1, 2, 3].map(() => connected(databaseUrl)))
  const follower = new Follower(async after => {
    const found = await reader?.query('SELECT id FROM pets WHERE id > $1 ORDER BY id LIMIT 7', [after])
    return found?.rows.map(({ id }) => BigInt(id)) ?? []
  })
  const following = follower.follow()
  const added: bigint[] = []
  const repeat = async (add: () => Promise<bigint>): Promise<void> => {
    for (let n = 0; n < 150; n++) added.push(await add())
  }
  await Promise.all([
    ...instances.flatMap(instance =>
      [1, 2, 3].map(() => repeat(async () => (await instance.post(petJson({}))).pet.id)),
    ),
    ...old.map(client => repeat(async () => BigInt((await client.query(AS_SCHEMA_5)).rows[0].id))),
  ])
  follower.stopAtTheEnd()
  await following
  expect(added).toHaveLength(8 * 150)
  expect(faultsOf(follower.seen, added)).toEqual(NO_FAULTS)

  const last = await instances[0]?.post(petJson({}))
  await query(databaseUrl, `DELETE FROM pets WHERE id = ${last?.pet.id}`)
  const next = await instances[1]?.post(petJson({}))
  expect(next?.pet.id).toBeGreaterThan(last?.pet.id ?? 0n)
  await Promise.all([reader, ...old].map(client => client?.end()))
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
})
