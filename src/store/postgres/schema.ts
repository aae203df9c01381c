import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import { MOVED_TO } from '../copy.ts'
import { movedTo } from '../errors.ts'
import schema from './schema.sql' with { type: 'text' }

/** Each step brings the schema from one version to the next. */
const STEPS: readonly string[] = [schema]
export const SCHEMA_VERSION = STEPS.length

/** Lets one instance at a time create or upgrade the schema. */
const SCHEMA_LOCK = 1346720851

const TABLES = ['meta', 'pets', 'api_keys', 'idempotency']

/** Raised from off, and never lowered: the operator decides which standbys a commit waits for. */
export const DURABLE_COMMIT =
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)"

/** The server ends the transaction of a machine that is gone. */
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SELECT ${DURABLE_COMMIT};
  SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`

interface Meta {
  readonly environment: Environment
  readonly cursor_secret: string
  readonly schema_version: string
  readonly [MOVED_TO]?: string
}

/** What the database says about itself; undefined if it has no schema of ours. */
export async function readMeta(client: pg.ClientBase): Promise<Meta | undefined> {
  // Not to_regclass: within a transaction it may remember that a table was missing before the lock was granted.
  const { rows: tables } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND pg_table_is_visible(oid) ORDER BY 1',
    [TABLES],
  )
  if (tables.length === 0) return undefined
  try {
    const { rows } = await client.query<{ name: string; value: string }>('SELECT name, value FROM meta')
    const meta = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    if (meta.schema_version !== undefined) return meta as unknown as Meta
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && ['42P01', '42703'].includes(error.code ?? ''))) throw error
  }
  const names = tables.map(({ name }) => name).join(', ')
  const advice = 'Use a database of its own, or a schema (?schema= in DATABASE_URL). It was not changed.'
  throw new OperatorError(`The database has tables of another program: ${names}. ${advice}`)
}

/** Refuses the database of another environment or of a newer release. */
export function assertOurs(meta: Meta, environment: Environment): void {
  const { environment: owner, schema_version: version } = meta
  if (owner !== environment)
    throw new OperatorError(`This database belongs to ${owner}; this is ${environment}. It was not changed.`)
  if (Number(version) > SCHEMA_VERSION)
    throw new OperatorError(
      `This database was written by a newer release (schema ${version}; this release knows ${SCHEMA_VERSION}). It was not changed.`,
    )
  if (meta[MOVED_TO] !== undefined) throw movedTo('in these settings', meta[MOVED_TO])
}

/** Creates or upgrades the schema in one transaction, and returns the cursor secret. Other instances wait meanwhile. */
export async function prepareSchema(client: pg.ClientBase, environment: Environment): Promise<string> {
  const found = await readMeta(client)
  if (found !== undefined) assertOurs(found, environment)
  if (found !== undefined && Number(found.schema_version) === SCHEMA_VERSION) return found.cursor_secret
  await client.query(BEGIN)
  // Another instance may have done it since.
  const meta = await readMeta(client)
  if (meta !== undefined) assertOurs(meta, environment)
  for (const step of STEPS.slice(Number(meta?.schema_version ?? 0))) await client.query(step)
  const values = {
    environment,
    cursor_secret: meta?.cursor_secret ?? randomBytes(32).toString('hex'),
    schema_version: String(SCHEMA_VERSION),
  }
  const text =
    'INSERT INTO meta SELECT * FROM json_each_text($1) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  await client.query(text, [JSON.stringify(values)])
  await client.query('COMMIT')
  return values.cursor_secret
}
