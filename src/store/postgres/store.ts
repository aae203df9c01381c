import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import { NEW_PET_FIELDS, PET_COLUMNS, type PetRow, type PetStatus, petOfRow } from '../../contract/pet.ts'
import { petToJson } from '../../contract/pet-json.ts'
import { batchedLookup, batchedQuery } from '../batched-query.ts'
import { connectionsOf } from '../database.ts'
import type { Opening } from '../engine.ts'
import { commitLimits, GroupCommit } from '../group-commit.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import type { Added, Addition, KeyRecord, KeyStore, PageQuery, Store, StoredPage } from '../store.ts'
import { assertServes, assertUsable, ServerCheck } from './check.ts'
import { Pool, withConnection } from './pool.ts'
import { DURABLE_COMMIT, type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'

const TRIAL_WRITE = "UPDATE meta SET value = value WHERE name = 'schema_version'"
/** One for the batch in progress, and one for checks and for keys, which strangers can make up. Neither waits for reads. */
const [WRITE_CONNECTIONS, CHECK_CONNECTIONS] = [1, 1]
const BATCHES_IN_FLIGHT = 1
/** How soon a change that breaks no connection is noticed. */
const CHECK_EVERY_MS = 1000
/** A starting instance waits while others upgrade the schema, which takes longer for larger tables. */
const PREPARE_MS = 10 * 60 * 1000

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
/** Animals become visible in the order of their identifiers, so the highest one identifies the set. */
const REVISION = 'SELECT coalesce(max(id), 0) AS revision FROM pets'

/** The page and its revision, from one snapshot. */
const withRevision = (page: string): string =>
  `SELECT revision, page.* FROM (${REVISION}) AS now LEFT JOIN (${page}) AS page ON true ORDER BY id`

/** Each status has its own index, which only a statement that names the status can use. */
const pageOf = (status: PetStatus | undefined) => ({
  name: `page-of-${status ?? 'all'}`,
  text: withRevision(
    `${SELECT_PETS} WHERE ${status === undefined ? '' : `status = '${status}' AND`} id > $1 ORDER BY id LIMIT $2`,
  ),
})

/** A store for many instances, which share one database and nothing else. */
export async function openPostgresStore(location: PostgresLocation, opening: Opening): Promise<Store> {
  const { observe = () => {}, threads = 1 } = opening
  const { database } = location
  const { cursorSecret, address } = await prepare(location, opening)
  const server = new ServerCheck(address, cursorSecret, observe)
  const writing = new Pool(database, WRITE_CONNECTIONS, server)
  const checking = new Pool(database, CHECK_CONNECTIONS, server)
  const readers = connectionsOf(database, threads) - WRITE_CONNECTIONS - CHECK_CONNECTIONS
  const reading = new Pool(database, readers, server)
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
      // The statement includes its commit, so both take the same time.
      const durationMs = performance.now() - started
      observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: durationMs })
      return added
    },
    commitLimits(threads, BATCHES_IN_FLIGHT),
  )
  const check = () => checking.check().catch(() => {})
  // Connects before the first request. If that fails, the service still starts but is not ready.
  await check()
  const checks = setInterval(check, CHECK_EVERY_MS)
  checks.unref()

  return {
    cursorSecret,
    keys: postgresKeys(reading, checking),
    state: () => ({
      engine: 'postgres',
      waiting: additions.waiting,
      waitingForConnection: reading.waiting + writing.waiting + checking.waiting,
    }),
    epoch: () => server.epoch,
    revision,
    listPets: async query => {
      const page = await readPage(reading, query)
      see(page.lastId)
      return page
    },
    findPet: async id => {
      const text = `${SELECT_PETS} WHERE id = $1`
      const [row] = await reading.query<PetRow>({ name: 'pet', text, values: [id] })
      if (row === undefined) return undefined
      see(id)
      return petToJson(petOfRow(row))
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
      await Promise.all([reading, writing, checking].map(pool => pool.close()))
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

/** New animals as one array per column. The identifier, which is the first column, is missing. */
const ARRAYS = NEW_PET_FIELDS.map(
  ({ kind }, index) => `$${index + 5}::${kind === 'int64' ? 'bigint' : 'text'}[]`,
)
const ADD_PETS = `SELECT (pet).*, replayed
  FROM add_pets(ARRAY(SELECT ROW(NULL, new.*)::pets FROM unnest(${ARRAYS}) AS new), $1, $2, $3, $4)`

/** One statement, one commit and one round trip for a whole batch. */
async function addPets(pool: Pool, batch: readonly Addition[], highestSeen: bigint): Promise<Added[]> {
  const keyed = batch.some(({ idempotency }) => idempotency !== undefined) ? batch : []
  const rows = await pool.query<PetRow & { replayed: boolean }>({
    name: 'add-pets',
    writes: true,
    text: ADD_PETS,
    values: [
      keyed.map(({ idempotency }) => idempotency?.keyId),
      keyed.map(({ idempotency }) => idempotency?.key),
      IDEMPOTENCY_LIFETIME_MS,
      highestSeen,
      ...NEW_PET_FIELDS.map(({ name }) => batch.map(({ pet }) => String(pet[name]))),
    ],
  })
  return rows.map(row => ({ pet: petOfRow(row), replayed: row.replayed }))
}

async function readPage(pool: Pool, { after, limit, status }: PageQuery): Promise<StoredPage> {
  // One more than the limit, to see whether there is a next page.
  const statement = { ...pageOf(status), values: [after, limit + 1] }
  const rows = await pool.query<{ revision: string } & (PetRow | { id: null })>(statement)
  const found = rows.flatMap(row => (row.id === null ? [] : petOfRow(row)))
  const pets = found.slice(0, limit)
  return {
    json: `[${pets.map(pet => petToJson(pet)).join()}]`,
    lastId: pets.at(-1)?.id,
    more: found.length > limit,
    revision: BigInt(rows[0]?.revision ?? 0),
  }
}

async function readRevision(pool: Pool): Promise<bigint> {
  const [row] = await pool.query<{ revision: string }>({ name: 'revision', text: REVISION })
  return BigInt(row?.revision ?? 0)
}

async function findKeys(pool: Pool, hashes: readonly string[]): Promise<Map<string, KeyRecord>> {
  const statement = { name: 'keys', text: `${SELECT_KEYS} WHERE hash = ANY ($1)`, values: [hashes] }
  const rows = await pool.query<KeyRow>(statement)
  return new Map(rows.map(row => [row.hash, keyOf(row)]))
}

function postgresKeys(pool: Pool, checking: Pool): KeyStore {
  return {
    find: batchedLookup(hashes => findKeys(checking, hashes)),
    add: async ({ id, name, hint, hash, createdAt, expiresAt }) => {
      await pool.query({
        writes: true,
        text: `INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
               RETURNING ${DURABLE_COMMIT}`,
        values: [id, name, hint, hash, createdAt.getTime(), expiresAt?.getTime() ?? null],
      })
    },
    list: async () =>
      (await pool.query<KeyRow>({ text: `${SELECT_KEYS} ORDER BY created_at, id` })).map(keyOf),
    revoke: async (id, at) => {
      const rows = await pool.query({
        writes: true,
        text: `UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING ${DURABLE_COMMIT}`,
        values: [at.getTime(), id],
      })
      return rows.length > 0
    },
    recordUses: async uses => {
      await pool.query({
        writes: true,
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
