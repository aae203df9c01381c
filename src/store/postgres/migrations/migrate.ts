import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import { lockNotAvailable } from '../connection/failures.ts'
import { BEGIN } from '../connection/transaction.ts'
import { explainDenied, whyNotMigrate } from '../grants.ts'
import { MIGRATIONS, type PostgresMigration } from './index.ts'
import { assertNoForeignTables, assertOurSchema, READABLE_FROM, schemaVersion } from './schema-state.ts'

/** "PETS" in ASCII: the lock that lets one instance at a time upgrade the schema. */
const LOCK = 0x50455453

/** A statement that waits to change a table blocks everyone behind it, so it waits briefly and retries. */
const LOCK_MS = 1000
/** The server disconnects an instance that stops responding in the middle of a step. */
const IDLE_MS = 10_000
/** Another instance may be running the same step, which takes longer the larger the tables are. */
const PATIENCE_MS = 10 * 60 * 1000
const BETWEEN_TRIES_MS = 500

/** The lock belongs to the transaction, so neither a crash nor a pooler can leave it behind. */
const BEGIN_STEP = `${BEGIN}; SET LOCAL statement_timeout = ${PATIENCE_MS}; SET LOCAL lock_timeout = ${LOCK_MS};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}; SELECT pg_advisory_xact_lock(${LOCK})`

const RECORDS = `
  CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL);
`

/** Upgrades the schema to this release, one transaction per step. Other instances that start meanwhile wait. */
export async function migratePostgres(client: pg.ClientBase, environment: Environment): Promise<void> {
  try {
    if ((await schemaVersion(client)) === 0) await patiently(client, () => claim(client, environment))
    await assertOurSchema(client, environment)
    for (const [index, migration] of MIGRATIONS.entries()) {
      const version = index + 1
      await patiently(client, async () => {
        if ((await schemaVersion(client)) < version) await apply(client, version, migration)
      })
    }
  } catch (error) {
    throw await explainDenied(client, error, whyNotMigrate)
  }
}

/** The statements and their commit are one message, so an instance that loses its connection cannot leave locks behind. */
async function apply(
  client: pg.ClientBase,
  version: number,
  { name, step, readableFrom = version }: PostgresMigration,
): Promise<void> {
  // The version goes in first: if another instance has just applied it, this one fails before it changes anything.
  const begin = `${BEGIN_STEP}; INSERT INTO migrations VALUES (${version}, '${name}', ${Date.now()});
    INSERT INTO meta VALUES ('${READABLE_FROM}', '${readableFrom}') ON CONFLICT (name)
      DO UPDATE SET value = greatest(meta.value::integer, excluded.value::integer)::text`
  if (typeof step === 'string') {
    await client.query(`${begin}; ${step}; COMMIT`)
    return
  }
  await client.query(begin)
  await step(client)
  await client.query('COMMIT')
}

/** Records which environment owns the database before anything else is stored. */
async function claim(client: pg.ClientBase, environment: Environment): Promise<void> {
  await client.query(BEGIN_STEP)
  await assertNoForeignTables(client)
  await client.query(RECORDS)
  await client.query(
    "INSERT INTO meta VALUES ('environment', $1), ('cursor_secret', $2) ON CONFLICT DO NOTHING",
    [environment, randomBytes(32).toString('hex')],
  )
  await client.query('COMMIT')
}

/** Retries while another instance holds the lock or has just applied the step. */
async function patiently(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if (!(lockNotAvailable(error) || wasApplied(error)) || performance.now() > giveUpAt) throw error
    }
    await sleep(Math.random() * BETWEEN_TRIES_MS)
  }
}

const wasApplied = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === 'migrations_pkey'
