import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import {
  NEW_PET_FIELDS,
  PET_COLUMNS,
  type Pet,
  type PetRow,
  type PetStatus,
  petOfRow,
} from '../../contract/pet.ts'
import { petToJson } from '../../contract/pet-json.ts'
import { batchedLookup, batchedQuery } from '../batched-query.ts'
import { CONNECTIONS, connectionsOf } from '../database.ts'
import type { Opening } from '../engine.ts'
import { commitLimits, GroupCommit } from '../group-commit.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import type { Added, Addition, KeyRecord, KeyStore, PageQuery, Store, StoredPage } from '../store.ts'
import { assertServes, assertUsable, ServerCheck } from './check.ts'
import { Pool, withConnection } from './pool.ts'
import { DURABLE_COMMIT, type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'

const TRIAL_WRITE = "UPDATE meta SET value = value WHERE name = 'schema_version'"
/** Checks wait for nothing else, and reads do not wait for keys, which strangers can make up. */
const [CHECK_CONNECTIONS, KEY_CONNECTIONS] = [1, 1]
/** How soon a change that breaks no connection is noticed. */
const CHECK_EVERY_MS = 1000
/** A starting instance waits while others upgrade the schema, which takes longer for larger tables. */
const PREPARE_MS = 10 * 60 * 1000

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
/** Animals become visible in the order of their identifiers, so the highest one identifies the set. */
const REVISION = 'SELECT max(id) AS revision FROM durable'

/** Animals with the revision, from one snapshot. */
const withRevision = (condition: string): string =>
  `SELECT revision, pet.* FROM (${REVISION}) AS now LEFT JOIN
     (${SELECT_PETS} WHERE id <= (${REVISION}) AND ${condition}) AS pet ON true ORDER BY id`

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
  const { observe = () => {}, threads = 1 } = opening
  const { database } = location
  const { cursorSecret, address } = await prepare(location, opening)
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
  const revision = batchedQuery(() => readRevision(reading))
  /** The highest identifier that this instance has returned. A server that lost it must not assign it again. */
  let highestSeen = 0n
  const see = (id = 0n): void => {
    if (id > highestSeen) highestSeen = id
  }
  /** The last write failed, for example because the server's disk is full. Reads may still work. */
  let isFailing = false
  const additions = new GroupCommit<Addition, Added>(
    async batch => {
      const started = performance.now()
      const added = await addPets(writing, batch, highestSeen).catch((error: unknown) => {
        isFailing = true
        throw error
      })
      isFailing = false
      for (const { pet } of added) see(pet.id)
      // The statement includes its commits, so both take the same time.
      const durationMs = performance.now() - started
      observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: durationMs })
      return added
    },
    commitLimits(threads, writers, 1),
  )
  const check = () => checking.check().catch(() => {})
  // Connects before the first request. If that fails, the service still starts but is not ready.
  await check()
  const checks = setInterval(check, CHECK_EVERY_MS)
  checks.unref()

  return {
    cursorSecret,
    keys: postgresKeys(reading, finding),
    state: () => ({
      engine: 'postgres',
      waiting: additions.waiting,
      waitingForConnection: pools.reduce((sum, pool) => sum + pool.waiting, 0),
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
      await checking.check()
      if (!isFailing) return
      await writing.query({ text: TRIAL_WRITE })
      isFailing = false
    },
    close: async () => {
      clearInterval(checks)
      await Promise.all(pools.map(pool => pool.close()))
    },
  }
}

const prepare = (location: PostgresLocation, { create, caller }: Opening) =>
  withConnection(location.database, { statementMs: PREPARE_MS }, async client => {
    const { address } = await assertUsable(client)
    if (!create) await requireMeta(client, location)
    const cursorSecret = await prepareSchema(client, location)
    if (caller === 'service') await assertServes(client)
    return { address, cursorSecret }
  })

interface Stored {
  readonly ids: string[]
  /** The animals that were stored before; null for each new one. */
  readonly replays: (PetRow | null)[]
}

/** One round trip for a whole batch. */
async function addPets(pool: Pool, batch: readonly Addition[], highestSeen: bigint): Promise<Added[]> {
  const keyed = batch.some(({ idempotency }) => idempotency !== undefined) ? batch : []
  const columns = ({ pet }: Addition) =>
    Object.fromEntries(NEW_PET_FIELDS.map(({ name, column }) => [column, String(pet[name])]))
  const [stored] = await pool.query<Stored>({
    name: 'store-pets',
    writes: 'in several commits',
    text: 'CALL store_pets($1, $2, $3, $4, $5, NULL, NULL)',
    values: [
      JSON.stringify(batch.map(columns)),
      keyed.map(({ idempotency }) => idempotency?.keyId),
      keyed.map(({ idempotency }) => idempotency?.key),
      IDEMPOTENCY_LIFETIME_MS,
      highestSeen,
    ],
  })
  return batch.map(({ pet }, place) => {
    const replay = stored?.replays[place]
    if (replay) return { pet: petOfRow(replay), replayed: true }
    return { pet: { id: BigInt(stored?.ids[place] ?? 0), ...pet }, replayed: false }
  })
}

/** Reads published animals. After a crash nothing is published, until the first reader or writer does so. */
async function readPets(
  pool: Pool,
  statement: { readonly name: string; readonly text: string; readonly values?: readonly unknown[] },
): Promise<{ pets: Pet[]; revision: bigint }> {
  const rows = await pool.query<{ revision: string | null } & (PetRow | { id: null })>(statement)
  const revision = rows[0]?.revision
  if (revision)
    return { pets: rows.flatMap(row => (row.id ? petOfRow(row) : [])), revision: BigInt(revision) }
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

const readRevision = async (pool: Pool): Promise<bigint> =>
  (await readPets(pool, { name: 'revision', text: REVISION })).revision

async function findKeys(pool: Pool, hashes: readonly string[]): Promise<Map<string, KeyRecord>> {
  const statement = { name: 'keys', text: `${SELECT_KEYS} WHERE hash = ANY ($1)`, values: [hashes] }
  const rows = await pool.query<KeyRow>(statement)
  return new Map(rows.map(row => [row.hash, keyOf(row)]))
}

function postgresKeys(pool: Pool, finding: Pool): KeyStore {
  return {
    find: batchedLookup(hashes => findKeys(finding, hashes)),
    add: async ({ id, name, hint, hash, createdAt, expiresAt }) => {
      await pool.query({
        writes: 'in one commit',
        text: `INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
               RETURNING ${DURABLE_COMMIT}`,
        values: [id, name, hint, hash, createdAt.getTime(), expiresAt?.getTime() ?? null],
      })
    },
    list: async () =>
      (await pool.query<KeyRow>({ text: `${SELECT_KEYS} ORDER BY created_at, id` })).map(keyOf),
    revoke: async (id, at) => {
      const rows = await pool.query({
        writes: 'in one commit',
        text: `UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING ${DURABLE_COMMIT}`,
        values: [at.getTime(), id],
      })
      return rows.length > 0
    },
    recordUses: async uses => {
      await pool.query({
        writes: 'in one commit',
        // Locks rows in a fixed order, so that two instances that used the same keys cannot deadlock.
        text: `WITH locked AS (SELECT id FROM api_keys WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
               UPDATE api_keys SET deprecated_calls = deprecated_calls + use.calls,
                 last_used_at = greatest(CASE WHEN last_used_at <= $4 THEN last_used_at END, use.at),
                 deprecated_call_at = CASE WHEN use.calls = 0 THEN deprecated_call_at
                   ELSE greatest(CASE WHEN deprecated_call_at <= $4 THEN deprecated_call_at END, use.at) END
               FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS use (id, at, calls) JOIN locked USING (id)
               WHERE api_keys.id = use.id`,
        values: [
          uses.map(use => use.id),
          uses.map(use => use.at.getTime()),
          uses.map(use => use.deprecatedCalls),
          // A later time was recorded by a clock that was wrong, and is replaced.
          Date.now(),
        ],
      })
    },
  }
}
