import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { eventually } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'
import { makeStore, openStore } from '../support/store.ts'

const INSTANCES = 3
const WRITERS_EACH = 8
const ANIMALS_EACH = 60
const READERS = 6
/** Few enough to fit on one page. */
const ANIMALS = 15

/** Keeps paging like a client that follows a growing store, until the end comes and no more follow; returns what it saw. */
async function follow(service: Service, filter: string, isLast: () => boolean): Promise<bigint[]> {
  const seen: bigint[] = []
  for (let target = `/v1/pets?${filter}`; ; ) {
    const wasLast = isLast()
    const answer = await service.fetch(target)
    expect(answer).toHaveStatus(200)
    // The last page has no link, so it is requested again.
    const ids = answer.pets.map(({ id }) => id).filter(id => id > (seen.at(-1) ?? 0n))
    seen.push(...ids)
    target = answer.link('next') ?? target
    if (wasLast && ids.length === 0) return seen
  }
}

test('while three instances add animals, clients that page on each of them see every animal once, in order', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startService({ databaseUrl })))
  let isOver = false
  const isLast = () => isOver
  const following = Promise.all([
    ...instances.map(instance => follow(instance, 'limit=7', isLast)),
    follow(instances[0] as Service, 'limit=5&status=pending', isLast),
  ])
  const added: bigint[] = []
  const write = async (instance: Service): Promise<void> => {
    for (let n = 0; n < ANIMALS_EACH; n++)
      added.push((await instance.post(petJson({ name: `n${n}`, status: 'pending' }))).pet.id)
  }
  await Promise.all(
    instances.flatMap(instance => Array.from({ length: WRITERS_EACH }, () => write(instance))),
  )
  isOver = true
  expect(added).toHaveLength(INSTANCES * WRITERS_EACH * ANIMALS_EACH)
  const inOrder = added.toSorted((one, other) => Number(one - other))
  // Strictly, or a create that failed would count as undefined, which is equal to nothing at all.
  for (const seen of await following) expect(seen).toStrictEqual(inOrder)
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0, 0])
})

test('a crowd that reads the last page on one instance misses no animal that another one has acknowledged', async () => {
  const databaseUrl = await freshPostgresUrl()
  const [writer, reader] = [await startService({ databaseUrl }), await startService({ databaseUrl })]
  let acknowledged = 0n
  let isOver = false
  const missed: string[] = []
  let reads = 0
  const read = async (): Promise<void> => {
    for (; !isOver; reads++) {
      const due = acknowledged
      const { pets } = await reader.fetch('/v1/pets?status=sold&limit=100')
      const newest = pets.at(-1)?.id ?? 0n
      if (newest < due) missed.push(`${due}, but ${newest} was the newest`)
    }
  }
  const reading = Promise.all(Array.from({ length: READERS }, read))
  for (let n = 0; n < ANIMALS || reads <= ANIMALS; n++) {
    acknowledged = (await writer.post(petJson({ status: 'sold' }))).pet.id
    // Pauses sometimes, so that cached pages are served.
    if (n % 3 === 0) await reader.fetch('/readyz')
  }
  isOver = true
  await reading
  expect(missed.slice(0, 5)).toEqual([])
  expect(await Promise.all([writer.stop(), reader.stop()])).toEqual([0, 0])
})

test('while no animal is added, a crowd that reads the last page reads no animal from PostgreSQL', async () => {
  const databaseUrl = await freshPostgresUrl()
  const service = await startService({ databaseUrl })
  for (let n = 0; n < 50; n++) await service.post(petJson({}))
  const read = () => service.fetch('/v1/pets?limit=100')
  const first = await read()
  const crowd = (await Promise.all(Array.from({ length: 300 }, read))).map(({ text }) => text)
  expect(new Set([first.text, ...crowd]).size).toBe(1)
  expect(await service.stop()).toBe(0)
  const fetched = await eventually('PostgreSQL has counted', async () => {
    const sql = "SELECT idx_tup_fetch AS fetched FROM pg_stat_user_tables WHERE relname = 'pets'"
    const [row] = await query<{ fetched: string }>(databaseUrl, sql)
    return Number(row?.fetched) || undefined
  })
  // One page, plus at most one animal for each check for the newest; without the cache each request would read 51.
  expect(fetched).toBeLessThan(300 + 2 * 51)
})

test('a page of one status reads no animal of the others, in a plan for any value too', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl, ['Rex'])
  const others = "INSERT INTO pets SELECT i, 'x', 1, 'sold' FROM generate_series(2, 20000) AS i"
  await query(databaseUrl, `${others}; DELETE FROM recovered; ANALYZE pets`)
  const store = await openStore(databaseUrl)
  // After five executions of a statement, PostgreSQL may choose another plan.
  for (let n = 0; n < 40; n++)
    expect((await store.listPets({ after: 0n, limit: 20, status: 'available' })).lastId).toBe(1n)
  await store.close()
  const sql = `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'pets')
     + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'pets') AS read`
  // A session reports what it read when it ends.
  await eventually('all sessions have ended', async () => {
    const left = await query(databaseUrl, 'SELECT FROM pg_stat_activity WHERE datname = current_database()')
    return left.length === 1 || undefined
  })
  expect(Number((await query<{ read: string }>(databaseUrl, sql))[0]?.read)).toBeWithin(40, 1000)
})
