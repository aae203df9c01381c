import type { Environment } from '../../environment.ts'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { GroupCommit } from '../group-commit.ts'
import { Forgetting } from '../housekeeping/forgetting.ts'
import { KEY_COLUMNS, type KeyRow, keyOf, PET_COLUMNS, type PetRow, petOf } from '../rows.ts'
import type { Added, Addition, KeyStore, Store } from '../store.ts'
import { addPets } from './add-pets.ts'
import { assertDurable } from './assert-durable.ts'
import { Connections } from './connections.ts'
import { postgresDeprecations } from './deprecations.ts'
import { expiredKeys } from './expired-keys.ts'
import { parseHosts } from './hosts.ts'
import { migrate } from './migrate.ts'
import { refuseUnfinishedCopy } from './refuse-unfinished-copy.ts'

const LIMITS = { maxWaiting: 10_000, maxBatch: 512, enough: 32, maxWaitMs: 2000, maxExpectedMs: 600 }
const MAX_READING = 10
/** One for the batch under way and one to ask whether the database answers: neither waits behind a crowd of readers. */
const MAX_WRITING = 2

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
const SELECT_KEYS = `SELECT ${KEY_COLUMNS} FROM api_keys`

/** The store of many instances: they share one database and nothing else. */
export async function openPostgresStore(
  databaseUrl: string,
  environment: Environment,
  observe: Observe,
): Promise<Store> {
  const hosts = parseHosts(databaseUrl)
  const connections = new Connections(hosts, MAX_READING)
  const cursorSecret = await prepare(connections, environment)
  const writing = new Connections(hosts, MAX_WRITING)
  const additions = new GroupCommit<Addition, Added>(batch => addObserved(writing, batch, observe), LIMITS)
  const forgetting = new Forgetting(expiredKeys(connections), observe)

  return {
    environment,
    cursorSecret,
    keys: postgresKeys(connections),
    deprecations: postgresDeprecations(connections),
    state: () => ({
      engine: 'postgresql',
      waiting: additions.waiting,
      housekeeping: forgetting.state,
      pools: { reading: connections.state, writing: writing.state },
    }),
    revision: () => undefined,
    listPets: async ({ after, limit, status }) => {
      const all = {
        name: 'page',
        text: `${SELECT_PETS} WHERE id > $1 ORDER BY id LIMIT $2`,
        values: [after, limit + 1],
      }
      const some = {
        name: 'page-of-status',
        text: `${SELECT_PETS} WHERE status = $3 AND id > $1 ORDER BY id LIMIT $2`,
        values: [after, limit + 1, status],
      }
      // One more than asked for tells whether another page follows.
      const rows = await connections.query<PetRow>(status === undefined ? all : some)
      return { pets: rows.slice(0, limit).map(petOf), more: rows.length > limit }
    },
    findPet: async id => {
      const [row] = await connections.query<PetRow>({
        name: 'pet',
        text: `${SELECT_PETS} WHERE id = $1`,
        values: [id],
      })
      return row && petOf(row)
    },
    addPet: addition => additions.add(addition),
    ping: async () => void (await writing.query({ text: 'SELECT 1' })),
    close: async () => {
      forgetting.close()
      await Promise.all([connections.close(), writing.close()])
    },
  }
}

/** The commit is part of the one statement, so both take the same time. */
async function addObserved(
  connections: Connections,
  batch: readonly Addition[],
  observe: Observe,
): Promise<Added[]> {
  const started = performance.now()
  const added = await addPets(connections, batch)
  const durationMs = performance.now() - started
  observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: durationMs })
  return added
}

async function prepare(connections: Connections, environment: Environment): Promise<string> {
  try {
    return await connections.withClient(async client => {
      await assertDurable(client)
      await migrate(client, environment)
      await refuseUnfinishedCopy(client, 'The database')
      const { rows } = await client.query<{ value: string }>(
        "SELECT value FROM meta WHERE name = 'cursor_secret'",
      )
      return rows[0]?.value ?? ''
    })
  } catch (error) {
    await connections.close()
    if (error instanceof OperatorError) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    throw new OperatorError(`The PostgreSQL database cannot be used: ${cause.message || String(cause)}.`, {
      cause,
    })
  }
}

function postgresKeys(connections: Connections): KeyStore {
  return {
    add: async key => {
      await connections.query({
        text: 'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
        values: [
          key.id,
          key.name,
          key.hint,
          key.hash,
          key.createdAt.getTime(),
          key.expiresAt?.getTime() ?? null,
        ],
      })
    },
    list: async () =>
      (await connections.query<KeyRow>({ text: `${SELECT_KEYS} ORDER BY created_at, id` })).map(keyOf),
    find: async hash => {
      const [row] = await connections.query<KeyRow>({
        name: 'key',
        text: `${SELECT_KEYS} WHERE hash = $1`,
        values: [hash],
      })
      return row && keyOf(row)
    },
    revoke: async (id, at) => {
      const rows = await connections.query({
        text: 'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING id',
        values: [at.getTime(), id],
      })
      return rows.length > 0
    },
    recordUses: async uses => {
      await connections.query({
        // Locked in one order, so that two instances that used the same keys do not wait for each other for ever.
        text: `WITH locked AS (SELECT id FROM api_keys WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
               UPDATE api_keys SET last_used_at = greatest(coalesce(last_used_at, 0), use.at)
               FROM unnest($1::text[], $2::bigint[]) AS use (id, at) JOIN locked USING (id)
               WHERE api_keys.id = use.id`,
        values: [uses.map(use => use.id), uses.map(use => use.at.getTime())],
      })
    },
  }
}
