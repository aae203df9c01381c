import type pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { messageOf } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../diagnosis.ts'
import { noSchema } from '../no-database.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../rows.ts'
import { makeDurable, ReadOnly } from './connection/prove.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { withDedicated } from './transfer/dedicated-client.ts'

/** Each question of ours is a small one. */
const DEADLINE_MS = 10_000

/** Looks at a database on a server. */
export async function diagnosePostgres(
  database: PostgresDatabase,
  environment: Environment,
): Promise<Diagnosis> {
  try {
    return await withDedicated(database, { durable: false, deadlineMs: DEADLINE_MS }, client =>
      diagnose(client, database.publicName, environment),
    )
  } catch (error) {
    const findings = [fail('database', whyNot(error as Error))]
    return { findings, keys: undefined, lastBackup: undefined, serverTime: undefined }
  }
}

function whyNot({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : message
  if (cause instanceof ReadOnly) return reason
  return `PostgreSQL does not answer: ${reason}. Check DATABASE_URL and the server`
}

async function diagnose(client: pg.ClientBase, name: string, environment: Environment): Promise<Diagnosis> {
  const started = performance.now()
  const { version, now } = await one<{ version: string; now: Date }>(
    client,
    "SELECT current_setting('server_version') AS version, clock_timestamp() AS now",
  )
  const roundTrip = `PostgreSQL ${version}, answers in ${(performance.now() - started).toFixed(1)} ms`
  const made = await one<{ exists: boolean }>(
    client,
    "SELECT to_regclass('migrations') IS NOT NULL AS exists",
  )
  const findings = [ok('database', roundTrip), await durability(client)]
  const rest = { lastBackup: undefined, serverTime: now }
  if (!made.exists) return { ...rest, findings, missing: noSchema(name), keys: undefined }
  const { rows } = await client.query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys`)
  return { ...rest, findings: [...findings, ...(await contents(client, environment))], keys: rows.map(keyOf) }
}

async function durability(client: pg.ClientBase): Promise<Finding> {
  try {
    // It only looks: nothing of it holds beyond the question.
    await makeDurable(client, 'transaction')
    return ok('durability', 'fsync, full_page_writes and synchronous_commit hold: a 201 is on the disk')
  } catch (error) {
    return fail('durability', messageOf(error))
  }
}

async function contents(client: pg.ClientBase, environment: Environment): Promise<Finding[]> {
  const { owner, version } = await one<{ owner: string; version: number }>(
    client,
    `SELECT (SELECT value FROM meta WHERE name = 'environment') AS owner,
            (SELECT coalesce(max(version), 0) FROM migrations) AS version`,
  )
  if (owner !== environment)
    return [fail('schema', `This database belongs to ${owner}; this is ${environment}.`)]
  const known = `schema ${version} of ${MIGRATIONS.length}`
  if (version > MIGRATIONS.length)
    return [fail('schema', `${known}: written by a newer release. Use that one`)]
  if (version < MIGRATIONS.length) return [advice('schema', `${known}; the next start brings it up to date`)]
  const { count } = await one<{ count: string }>(
    client,
    "SELECT reltuples::bigint AS count FROM pg_class WHERE oid = 'pets'::regclass",
  )
  return [ok('schema', known), ok('animals', Number(count) < 0 ? 'not counted yet' : `about ${count}`)]
}

async function one<Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  return rows[0] as Row
}
