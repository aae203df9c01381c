import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import type { PostgresDatabase } from '../../database.ts'
import {
  DEPRECATED_COLUMNS,
  type DeprecatedRow,
  deprecatedOf,
  KEY_COLUMNS,
  PET_COLUMNS,
  type PetRow,
  petOf,
  type RequestRow,
  rememberedOf,
  type StoredKeyRow,
  storedKeyOf,
} from '../../rows.ts'
import { snapshotOf } from '../../snapshot.ts'
import { BATCH_SIZE, type Snapshot } from '../../transfer.ts'
import { sourceTooOld } from '../../unfinished-copy.ts'
import { explainDenied } from '../grants.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { assertKnownSchema, assertMade, assertOurSchema, schemaVersion } from '../migrations/schema-state.ts'
import { connectDedicated } from './dedicated-client.ts'
import { refuseUnfinishedSchema } from './refuse-unfinished-copy.ts'

interface SummaryRow {
  cursor_secret: string
  last_id: string
  pets: string
  requests: string
}

const SUMMARY = `
  SELECT (SELECT value FROM meta WHERE name = 'cursor_secret') AS cursor_secret,
         greatest((SELECT last_id FROM pet_counter), (SELECT max(id) FROM pets)) AS last_id,
         (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM idempotency) AS requests`

// Sort bytewise, as SQLite does, regardless of the database's locale.
const ALL_KEYS = `SELECT ${KEY_COLUMNS}, hash FROM api_keys ORDER BY id COLLATE "C"`
const ALL_CALLS = `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY key_id COLLATE "C", operation COLLATE "C"`
const PETS = `SELECT ${PET_COLUMNS} FROM pets WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`
const REQUESTS = `
  SELECT key_id, key, pet_id AS id, name, category_id, status, created_at FROM idempotency
  WHERE created_at >= $1 AND (created_at, key_id COLLATE "C", key COLLATE "C") > ($1, $2, $3) AND pet_id <= $4
  ORDER BY created_at, key_id COLLATE "C", key COLLATE "C" LIMIT $5`

/** Reads a database without changing it. */
export async function openPostgresSnapshot(
  database: PostgresDatabase,
  environment: Environment,
): Promise<Snapshot> {
  const { publicName: name } = database
  const { client } = await connectDedicated(database, { durable: false })
  try {
    await assertMade(client, name)
    await assertOurSchema(client, environment)
    await assertKnownSchema(client)
    if ((await schemaVersion(client)) < MIGRATIONS.length) throw sourceTooOld(name)
    await refuseUnfinishedSchema(client, name)
    return await postgresSnapshot(client, () => client.end())
  } catch (error) {
    const reason = await explainDenied(client, error)
    await client.end().catch(() => {})
    throw reason
  }
}

export async function postgresSnapshot(client: pg.ClientBase, close: () => Promise<void>): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0')
  const { rows } = await client.query<SummaryRow>(SUMMARY)
  const keys = (await client.query<StoredKeyRow>(ALL_KEYS)).rows.map(storedKeyOf)
  const deprecatedCalls = (await client.query<DeprecatedRow>(ALL_CALLS)).rows.map(deprecatedOf)
  await client.query('COMMIT')
  const summary = rows[0] as SummaryRow
  const lastId = BigInt(summary.last_id)
  return snapshotOf({
    cursorSecret: summary.cursor_secret,
    lastId,
    keys,
    deprecatedCalls,
    petCount: Number(summary.pets),
    requestCount: Number(summary.requests),
    petsAfter: async after => {
      const page = await client.query<PetRow>(PETS, [after, lastId, BATCH_SIZE])
      return page.rows.map(petOf)
    },
    requestsAfter: async ({ createdAt, keyId, key }) => {
      const values = [createdAt.getTime(), keyId, key, lastId, BATCH_SIZE]
      const page = await client.query<RequestRow>(REQUESTS, values)
      return page.rows.map(rememberedOf)
    },
    close,
  })
}
