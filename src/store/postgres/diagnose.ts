import type pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../diagnosis.ts'
import { noSchema } from '../no-database.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../rows.ts'
import { makeDurable, ReadOnly } from './connection/prove.ts'
import { assertOneCounter } from './counter.ts'
import { explainDenied, missingGrants, whyNotMigrate } from './grants.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { assertNoForeignTables, isTooNew, readableFrom, schemaVersion } from './migrations/schema-state.ts'
import { replicaFindings } from './replicas/diagnose.ts'
import { withDedicated } from './transfer/dedicated-client.ts'

/** All queries here are small. */
const DEADLINE_MS = 10_000

/** Checks a database on a server. */
export async function diagnosePostgres(
  database: PostgresDatabase,
  environment: Environment,
): Promise<Diagnosis> {
  try {
    return await withDedicated(database, { durable: false, deadlineMs: DEADLINE_MS }, (client, isPooled) =>
      diagnose(client, isPooled, database, environment),
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

async function diagnose(
  client: pg.ClientBase,
  isPooled: boolean,
  database: PostgresDatabase,
  environment: Environment,
): Promise<Diagnosis> {
  const started = performance.now()
  const { version, now } = await one<{ version: string; now: Date }>(
    client,
    "SELECT current_setting('server_version') AS version, clock_timestamp() AS now",
  )
  const roundTrip = `PostgreSQL ${version}, answers in ${(performance.now() - started).toFixed(1)} ms`
  const findings = [
    ok('database', roundTrip),
    ...(await surroundings(client, isPooled)),
    await durability(client),
  ]
  const rest = { lastBackup: undefined, serverTime: now, keys: undefined }
  const schema = await versionOrFault(client)
  if (typeof schema !== 'number') return { ...rest, findings: [...findings, schema] }
  if (schema === 0) {
    const denied = await whyNotMigrate(client)
    return {
      ...rest,
      findings: denied === undefined ? findings : [...findings, fail('rights', denied)],
      missing: noSchema(database.publicName),
    }
  }
  const missing = await missingGrants(client)
  if (missing !== undefined) return { ...rest, findings: [...findings, fail('rights', missing)] }
  const { rows } = await client.query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys`)
  return {
    ...rest,
    findings: [
      ...findings,
      ...(await contents(client, environment, schema)),
      ...(database.replicas ? await replicaFindings(database.replicas, client) : []),
    ],
    keys: rows.map(keyOf),
  }
}

/** Another program may have a table with one of our names. */
async function versionOrFault(client: pg.ClientBase): Promise<number | Finding> {
  try {
    const version = await schemaVersion(client)
    if (version === 0) await assertNoForeignTables(client)
    return version
  } catch (error) {
    const denied = await explainDenied(client, error)
    if (denied instanceof OperatorError) return fail('schema', denied.message)
    throw error
  }
}

/** Findings that are unusual but harmless. */
async function surroundings(client: pg.ClientBase, isPooled: boolean): Promise<Finding[]> {
  const { isolation } = await one<{ isolation: string }>(
    client,
    "SELECT current_setting('default_transaction_isolation') AS isolation",
  )
  const own = 'the service asks for read committed in its own sessions'
  return [
    ...(isPooled ? [ok('pooler', 'one is in front of PostgreSQL, in either mode')] : []),
    ...(isolation === 'read committed' ? [] : [ok('isolation', `the default is ${isolation}; ${own}`)]),
  ]
}

async function durability(client: pg.ClientBase): Promise<Finding> {
  try {
    // The diagnosis only reads, so nothing needs to outlive the query.
    await makeDurable(client, 'transaction')
    return ok('durability', 'fsync, full_page_writes and synchronous_commit hold: a 201 is on the disk')
  } catch (error) {
    return fail('durability', messageOf(error))
  }
}

async function contents(
  client: pg.ClientBase,
  environment: Environment,
  version: number,
): Promise<Finding[]> {
  const { owner } = await one<{ owner: string }>(
    client,
    "SELECT (SELECT value FROM meta WHERE name = 'environment') AS owner",
  )
  if (owner !== environment)
    return [fail('schema', `This database belongs to ${owner}; this is ${environment}.`)]
  const known = MIGRATIONS.length
  if (version < known) {
    const denied = await whyNotMigrate(client)
    const outdated = advice('schema', `schema ${version} of ${known}; the next start brings it up to date`)
    return [denied === undefined ? outdated : fail('rights', denied)]
  }
  const newer = `schema ${version}, newer than the ${known} of this release`
  if (isTooNew(version, await readableFrom(client)))
    return [fail('schema', `${newer}, which cannot use it. Use the newer one`)]
  try {
    await assertOneCounter(client)
  } catch (error) {
    return [fail('schema', messageOf(error))]
  }
  const { count } = await one<{ count: string }>(
    client,
    "SELECT reltuples::bigint AS count FROM pg_class WHERE oid = 'pets'::regclass",
  )
  return [
    ok('schema', version > known ? `${newer}, which can use it` : `schema ${version} of ${known}`),
    ok('animals', Number(count) < 0 ? 'not counted yet' : `about ${count}`),
  ]
}

async function one<Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  return rows[0] as Row
}
