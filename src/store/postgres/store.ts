import type pg from 'pg'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import {
  NEW_PET_FIELDS,
  type NewPet,
  PET_COLUMNS,
  type Pet,
  type PetRow,
  type PetStatus,
  petOfRow,
  petToJson,
} from '../../contract/pet.ts'
import { batchedQuery } from '../batched-query.ts'
import { CONNECTIONS, connectionsOf } from '../database.ts'
import type { Opening } from '../engine.ts'
import { commitLimits, GroupCommit } from '../group-commit.ts'
import type { Added, Addition, KeyStore, PageQuery, Store, StoredPage } from '../store.ts'
import { assertUsable, SERVICE_FACTS, ServerCheck } from './check.ts'
import { postgresKeys } from './keys.ts'
import { Pool, withConnection } from './pool.ts'
import { type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'
import trial from './trial.sql' with { type: 'text' }

/** A create of so many animals, taken back. */
const trialOf = (animals: number): string => trial.replaceAll('ANIMALS', String(animals))
/** Checks wait for nothing else, and reads do not wait for keys, which strangers can make up. */
const [CHECK_CONNECTIONS, KEY_CONNECTIONS] = [1, 1]
/** How soon a change that breaks no connection is noticed. */
const CHECK_EVERY_MS = 1000
/** A starting instance waits while others upgrade the schema, which takes longer for larger tables. */
const PREPARING = { statementMs: 10 * 60 * 1000 }

/** Animals become visible in the order of their identifiers, so the highest one identifies the set. There is no row until it is published. */
const NOW = { name: 'revision', text: 'SELECT last_value AS revision FROM durable, recovered' }

/** Animals with the revision. The sequence may be ahead of the statement's snapshot; evaluated twice, it could differ. */
const withRevision = (condition: string): string =>
  `WITH now AS MATERIALIZED
     (SELECT least(last_value, (SELECT coalesce(max(id), 0) FROM pets)) AS revision FROM durable, recovered)
   SELECT revision, pet.* FROM now LEFT JOIN LATERAL
     (SELECT ${PET_COLUMNS} FROM pets WHERE id <= revision AND ${condition}) AS pet ON true ORDER BY id`

/** Each status has its own index, which only a statement that names the status can use. */
const pageOf = (status: PetStatus | undefined) => ({
  name: `page-of-${status ?? 'all'}`,
  text: withRevision(
    `${status === undefined ? '' : `status = '${status}' AND`} id > $1 ORDER BY id LIMIT $2`,
  ),
})
const ONE_PET = { name: 'pet', text: withRevision('id = $1') }

/** A store for many instances, which share one database and nothing else. */
export async function openPostgresStore(location: PostgresLocation, opening: Opening): Promise<Store> {
  const { create, observe = () => {}, threads = 1, failed = new Int32Array(1) } = opening
  const { database } = location
  const { cursorSecret, address } = await withConnection(database, PREPARING, client =>
    prepare(client, location, create),
  )
  const server = new ServerCheck(address, cursorSecret, observe)
  const connections = connectionsOf(database, threads)
  /** While one batch waits for the disk, the next one is added. */
  const writers = connections > CONNECTIONS.perThread ? 2 : 1
  const writing = new Pool(database, writers, server)
  const checking = new Pool(database, CHECK_CONNECTIONS, server)
  const finding = new Pool(database, KEY_CONNECTIONS, server)
  const readers = connections - writers - CHECK_CONNECTIONS - KEY_CONNECTIONS
  const reading = new Pool(database, readers, server)
  const pools = [reading, writing, checking, finding]
  const revision = batchedQuery(async () => (await readPets(reading, NOW)).revision)
  /** The highest identifier that this thread has returned. A server that lost it must not assign it again. */
  let highestSeen = 0n
  const see = (id = 0n): void => {
    if (id > highestSeen) highestSeen = id
  }
  const additions = new GroupCommit<Addition, Added>(
    async batch => {
      const started = performance.now()
      const added = await addPets(writing, batch, highestSeen).catch((error: unknown) => {
        failed[0] = batch.length
        throw error
      })
      failed[0] = 0
      for (const { pet } of added) see(pet.id)
      const size = added.filter(({ replayed }) => !replayed).length
      // The statement includes its commits.
      if (size > 0) observe({ kind: 'batch-stored', size, commitMs: performance.now() - started })
      return added
    },
    commitLimits(threads, writers, 1),
  )
  const check = batchedQuery(() => checking.check())
  const checkQuietly = () => check().catch(() => {})
  // Connects before the first request. If that fails, the service still starts but is not ready.
  await checkQuietly()
  const checks = setInterval(checkQuietly, CHECK_EVERY_MS)
  checks.unref()

  return {
    cursorSecret,
    keys: postgresKeys(reading, finding),
    backlog: () => ({
      animals: additions.waiting,
      calls: pools.reduce((sum, pool) => sum + pool.waiting, 0),
    }),
    epoch: () => server.epoch,
    revision,
    listPets: async query => {
      const page = await readPage(reading, query)
      see(page.lastId)
      return page
    },
    findPet: async id => {
      const { pets } = await readPets(reading, { ...ONE_PET, values: [id] })
      if (pets[0] === undefined) return undefined
      see(id)
      return petToJson(pets[0])
    },
    addPet: addition => additions.add(addition),
    ping: async () => {
      await check()
      if (!failed[0]) return
      await writing.query({ text: trialOf(failed[0]), writes: 'in one commit' })
      failed[0] = 0
    },
    close: async () => {
      clearInterval(checks)
      await Promise.all(pools.map(pool => pool.close()))
    },
  }
}

/** Each listener opens its own store, so the main thread needs one connection, and not for long. */
export async function preparePostgres<T>(
  location: PostgresLocation,
  create: boolean,
  work: (keys: KeyStore) => Promise<T>,
) {
  const result = await withConnection(location.database, PREPARING, async client => {
    await prepare(client, location, create)
    await assertUsable(client, SERVICE_FACTS)
    return work(postgresKeys(client))
  })
  return { result, kept: { figures: () => ({}), close: async () => {} } }
}

async function prepare(client: pg.Client, location: PostgresLocation, create: boolean) {
  const { address } = await assertUsable(client)
  const cursorSecret = await (create ? prepareSchema(client, location) : requireMeta(client, location))
  return { address, cursorSecret }
}

interface Stored {
  readonly ids: string[]
  /** The animals that were stored before; null for each new one. */
  readonly replays: (PetRow | null)[]
  /** The highest of the identifiers, if the server waited for standbys. The query has failed if that wait was cancelled. */
  readonly unpublished: string | null
}

/** An animal's values by column. An int64 is decimal text, because JSON.stringify does not support bigints. */
const rowOf = (pet: NewPet) =>
  Object.fromEntries(NEW_PET_FIELDS.map(({ name, column }) => [column, String(pet[name])]))

/** One round trip for a whole batch, and with synchronous standbys a second one. */
async function addPets(pool: Pool, batch: readonly Addition[], highestSeen: bigint): Promise<Added[]> {
  const keyed = batch.some(({ idempotency }) => idempotency !== undefined) ? batch : []
  const { rows } = await pool.query<Stored>({
    name: 'store-pets',
    writes: 'in several commits',
    text: 'CALL store_pets($1, $2, $3, $4, $5, NULL, NULL, NULL)',
    values: [
      JSON.stringify(batch.map(({ pet }) => rowOf(pet))),
      keyed.map(({ idempotency }) => idempotency?.keyId),
      keyed.map(({ idempotency }) => idempotency?.key),
      IDEMPOTENCY_LIFETIME_MS,
      highestSeen,
    ],
  })
  const { ids, replays, unpublished } = rows[0] as Stored
  if (unpublished)
    await pool.query({ writes: 'in several commits', text: 'SELECT publish($1)', values: [unpublished] })
  return batch.map(({ pet }, place) => {
    const replay = replays[place]
    if (replay) return { pet: petOfRow(replay), replayed: true }
    return { pet: { id: BigInt(ids[place] as string), ...pet }, replayed: false }
  })
}

/** Reads published animals. After a crash nothing is published, until the first reader or writer does so. */
async function readPets(pool: Pool, statement: pg.QueryConfig): Promise<{ pets: Pet[]; revision: bigint }> {
  const { rows } = await pool.query<{ revision: string } & (PetRow | { id: null })>(statement)
  if (rows[0])
    return { pets: rows.flatMap(row => (row.id ? petOfRow(row) : [])), revision: BigInt(rows[0].revision) }
  await pool.query({ text: 'CALL publish_recovered()' })
  return readPets(pool, statement)
}

async function readPage(pool: Pool, { after, limit, status }: PageQuery): Promise<StoredPage> {
  // One more than the limit, to see whether there is a next page.
  const { pets: found, revision } = await readPets(pool, { ...pageOf(status), values: [after, limit + 1] })
  const pets = found.slice(0, limit)
  return {
    json: `[${pets.map(pet => petToJson(pet)).join()}]`,
    lastId: pets.at(-1)?.id,
    more: found.length > limit,
    revision,
  }
}
