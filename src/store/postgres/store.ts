import type { Pet } from '../../contract/pet.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Observe } from '../../observability/events.ts'
import { CONNECTIONS, type PostgresDatabase } from '../database.ts'
import { COMMIT_LIMITS, GroupCommit } from '../group-commit.ts'
import { Forgetting } from '../housekeeping/forgetting.ts'
import { databaseMark } from '../mark.ts'
import { KEY_COLUMNS, type KeyRow, keyOf, PET_COLUMNS, type PetRow, petOf } from '../rows.ts'
import { SharedQuestion } from '../shared-question.ts'
import type { Added, Addition, KeyStore, Store } from '../store.ts'
import { addPets } from './add-pets.ts'
import { Connections } from './connection/connections.ts'
import { History } from './connection/history.ts'
import { clusterIdentity, cursorSecretIn } from './connection/identify.ts'
import type { Expected } from './connection/prove.ts'
import { assertOneCounter } from './counter.ts'
import { postgresDeprecations } from './deprecations.ts'
import { expiredPostgresKeys } from './expired-keys.ts'
import { assertGranted } from './grants.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { migratePostgres } from './migrations/migrate.ts'
import { assertMade } from './migrations/schema-state.ts'
import { readPage, readRevision } from './pages.ts'
import { Replicas } from './replicas/replicas.ts'
import { withDedicated } from './transfer/dedicated-client.ts'
import { refuseUnfinishedSchema } from './transfer/refuse-unfinished-copy.ts'

/** One for the batch in progress and one for the health check, so neither waits behind readers. */
export const MAX_WRITING = 2
/** How soon a change that breaks no connection is noticed. */
const CONFIRM_EVERY_MS = 1000
/** A starting instance waits while others upgrade the schema, which takes longer the larger the tables are. */
const PREPARE_MS = 10 * 60 * 1000

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
const SELECT_KEYS = `SELECT ${KEY_COLUMNS} FROM api_keys`

/** The store for many instances. They share one database and nothing else. */
export async function openPostgresStore(
  database: PostgresDatabase,
  environment: Environment,
  { create, observe }: { create: boolean; observe: Observe },
): Promise<Store> {
  const { mark, isPooled, ...expected } = await prepare(database, environment, create)
  const history = new History()
  const common = { database, isPooled, expected, history, observe }
  const connections = new Connections({
    ...common,
    max: (database.connections ?? CONNECTIONS.usual) - MAX_WRITING,
  })
  const writing = new Connections({ ...common, max: MAX_WRITING })
  const seen = new HighestSeen()
  const revision = new SharedQuestion(() => readRevision(connections))
  const replicas =
    database.replicas &&
    new Replicas({
      replicas: database.replicas,
      primary: connections,
      history,
      askRevision: () => revision.ask(),
      cursorSecret: expected.cursorSecret,
      observe,
    })
  const additions = new GroupCommit<Addition, Added>(
    batch => addObserved(writing, batch, seen, observe),
    COMMIT_LIMITS,
  )
  // Connects before the first request. If that fails, the service still starts but is not ready.
  await Promise.allSettled([connections.confirm(), writing.confirm()])
  const stopConfirming = keepConfirming(writing)
  const forgetting = new Forgetting(expiredPostgresKeys(connections), observe)

  return {
    environment,
    cursorSecret: expected.cursorSecret,
    mark,
    keys: postgresKeys(connections),
    deprecations: postgresDeprecations(connections),
    state: () => ({
      engine: 'postgresql',
      waiting: additions.waiting,
      housekeeping: forgetting.state,
      pools: {
        reading: connections.state,
        writing: writing.state,
        ...(replicas && { replicas: replicas.state }),
      },
      ...(replicas && { replicaPages: replicas.counts }),
    }),
    history: () => history.number,
    revision: () => revision.ask(),
    listPets: async query => {
      const page = (await replicas?.readPage(query)) ?? (await readPage(connections, query))
      seen.note(page.pets.at(-1))
      return page
    },
    findPet: async id => {
      const [row] = await connections.query<PetRow>({
        name: 'pet',
        text: `${SELECT_PETS} WHERE id = $1`,
        values: [id],
      })
      return seen.note(row && petOf(row))
    },
    addPet: addition => additions.add(addition),
    ping: () => writing.confirm(),
    close: async () => {
      forgetting.close()
      stopConfirming()
      await Promise.all([connections.close(), writing.close(), replicas?.close()])
    },
  }
}

/** The highest identifier that this instance has returned to any client. */
class HighestSeen {
  id = 0n

  note<T extends Pet | undefined>(pet: T): T {
    if (pet !== undefined && pet.id > this.id) this.id = pet.id
    return pet
  }
}

/** The statement includes its commit, so both take the same time. */
async function addObserved(
  connections: Connections,
  batch: readonly Addition[],
  seen: HighestSeen,
  observe: Observe,
): Promise<Added[]> {
  const started = performance.now()
  const added = await addPets(connections, batch, seen.id)
  for (const { pet } of added) seen.note(pet)
  const durationMs = performance.now() - started
  observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: durationMs })
  return added
}

/** Failures are not reported here: requests fail too, and the connections report a refused host. */
function keepConfirming(connections: Connections): () => void {
  const timer = setInterval(() => void connections.confirm().catch(() => {}), CONFIRM_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function prepare(
  database: PostgresDatabase,
  environment: Environment,
  create: boolean,
): Promise<Expected & Pick<Store, 'mark'> & { isPooled: boolean }> {
  return withDedicated(database, { durable: true, deadlineMs: PREPARE_MS }, async (client, isPooled) => {
    if (!create) await assertMade(client, database.publicName)
    await migratePostgres(client, environment)
    await assertGranted(client)
    await assertOneCounter(client)
    await refuseUnfinishedSchema(client, 'The database')
    const cursorSecret = await cursorSecretIn(client)
    const mark = databaseMark(environment, cursorSecret, await clusterIdentity(client))
    return { environment, cursorSecret, mark, isPooled, version: MIGRATIONS.length }
  })
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
        // Lock rows in a fixed order, so that two instances that used the same keys cannot deadlock.
        text: `WITH locked AS (SELECT id FROM api_keys WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
               UPDATE api_keys SET last_used_at = greatest(coalesce(last_used_at, 0), use.at)
               FROM unnest($1::text[], $2::bigint[]) AS use (id, at) JOIN locked USING (id)
               WHERE api_keys.id = use.id`,
        values: [uses.map(use => use.id), uses.map(use => use.at.getTime())],
      })
    },
  }
}
