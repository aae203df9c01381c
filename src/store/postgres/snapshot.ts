import type pg from 'pg'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import {
  DEPRECATED_COLUMNS,
  deprecatedOf,
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  PET_COLUMNS,
  type PetRow,
  petOf,
} from '../rows.ts'
import { BATCH_SIZE, type RememberedRequest, type Snapshot, type StoredKey } from '../transfer.ts'
import { sourceTooOld } from '../unfinished-copy.ts'
import { connectDedicated } from './dedicated-client.ts'
import { appliedVersion, assertOurs } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { refuseUnfinishedCopy } from './refuse-unfinished-copy.ts'

interface RequestRow extends Omit<PetRow, 'id'> {
  key_id: string
  key: string
  pet_id: string
  created_at: string
}

interface SummaryRow {
  cursor_secret: string
  last_id: string
  pets: string
  keys: string
  requests: string
  deprecated_calls: string
}

const SUMMARY = `
  SELECT (SELECT value FROM meta WHERE name = 'cursor_secret') AS cursor_secret,
         greatest((SELECT last_id FROM pet_counter), (SELECT max(id) FROM pets)) AS last_id,
         (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM api_keys) AS keys,
         (SELECT count(*) FROM idempotency) AS requests,
         (SELECT count(*) FROM deprecated_calls) AS deprecated_calls`

/** Reads a database that stays as it is. */
export async function openPostgresSnapshot(
  databaseUrl: string,
  name: string,
  environment: Environment,
): Promise<Snapshot> {
  const client = await connectDedicated(databaseUrl, { durable: false })
  try {
    const version = await appliedVersion(client)
    if (version === 0) throw new OperatorError(`There is no petstore in ${name}.`)
    await assertOurs(client, environment)
    if (version < MIGRATIONS.length) throw sourceTooOld(name)
    await refuseUnfinishedCopy(client, name)
    return await postgresSnapshot(client, () => client.end())
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** All reads of one REPEATABLE READ transaction see the state at its first read, and nobody waits for it. */
export async function postgresSnapshot(
  client: pg.ClientBase,
  afterwards: () => Promise<void>,
): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await client.query<SummaryRow>(SUMMARY)
  const summary = rows[0] as SummaryRow
  return {
    cursorSecret: summary.cursor_secret,
    lastId: BigInt(summary.last_id),
    counts: {
      pets: Number(summary.pets),
      keys: Number(summary.keys),
      requests: Number(summary.requests),
      deprecatedCalls: Number(summary.deprecated_calls),
    },
    batches: {
      pets: (after = 0n) =>
        fetched(client, `SELECT ${PET_COLUMNS} FROM pets WHERE id > ${after} ORDER BY id`, petOf),
      // Byte by byte, as SQLite orders text, whatever the locale of the database is.
      keys: () =>
        fetched(client, `SELECT ${KEY_COLUMNS}, hash FROM api_keys ORDER BY id COLLATE "C"`, storedKeyOf),
      requests: () =>
        fetched(
          client,
          `SELECT key_id, key, pet_id, name, category_id, status, created_at FROM idempotency
           ORDER BY key_id COLLATE "C", key COLLATE "C"`,
          requestOf,
        ),
      deprecatedCalls: () =>
        fetched(
          client,
          `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY key_id COLLATE "C", operation COLLATE "C"`,
          deprecatedOf,
        ),
    },
    close: async () => {
      await client.query('COMMIT')
      await afterwards()
    },
  }
}

/** A cursor of the server's, so that a table of any size passes through little memory. */
async function* fetched<Row extends pg.QueryResultRow, T>(
  client: pg.ClientBase,
  select: string,
  toRecord: (row: Row) => T,
): AsyncGenerator<T[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${select}`)
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${BATCH_SIZE} FROM batches`)
    if (rows.length > 0) yield rows.map(toRecord)
    if (rows.length < BATCH_SIZE) break
  }
  await client.query('CLOSE batches')
}

const storedKeyOf = (row: KeyRow & { hash: string }): StoredKey => ({ ...keyOf(row), hash: row.hash })

const requestOf = (row: RequestRow): RememberedRequest => ({
  keyId: row.key_id,
  key: row.key,
  pet: petOf({ ...row, id: row.pet_id }),
  createdAt: new Date(Number(row.created_at)),
})
