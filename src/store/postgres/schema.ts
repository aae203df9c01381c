import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import { movedTo, NoDatabase } from '../errors.ts'
import schema from './schema.sql' with { type: 'text' }

/** Each step brings the schema from one version to the next. */
const STEPS: readonly string[] = [schema]
const SCHEMA_VERSION = STEPS.length

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
  readonly moved_to?: string
}

/** What the database says about itself; undefined if it has no schema of ours. */
async function readMeta(client: pg.ClientBase): Promise<Meta | undefined> {
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

export async function requireMeta(client: pg.ClientBase, { publicName }: PostgresDatabase): Promise<Meta> {
  const meta = await readMeta(client)
  if (meta === undefined) throw new NoDatabase(`There is no petstore in ${publicName}.`)
  return meta
}

/** Refuses a database of another environment or a newer release, and one that was moved. */
function assertOurs(meta: Meta, { publicName }: PostgresDatabase, environment: Environment): Meta {
  const { environment: owner, schema_version: version, moved_to: place } = meta
  const refuse = (reason: string): never => {
    throw new OperatorError(`This database ${reason}. It was not changed.`)
  }
  if (owner !== environment) refuse(`belongs to ${owner}; this is ${environment}`)
  if (Number(version) > SCHEMA_VERSION)
    refuse(`was written by a newer release (schema ${version}; this release knows ${SCHEMA_VERSION})`)
  if (place !== undefined) throw movedTo(publicName, place)
  return meta
}

export const requireOurs = async (
  client: pg.ClientBase,
  database: PostgresDatabase,
  environment: Environment,
): Promise<Meta> => assertOurs(await requireMeta(client, database), database, environment)

/** Creates or upgrades the schema in one transaction, and returns the cursor secret. Other instances wait meanwhile. */
export async function prepareSchema(
  client: pg.ClientBase,
  database: PostgresDatabase,
  environment: Environment,
): Promise<string> {
  const read = async (): Promise<Meta | undefined> => {
    const meta = await readMeta(client)
    return meta && assertOurs(meta, database, environment)
  }
  const found = await read()
  if (found !== undefined && !isOlder(found)) return found.cursor_secret
  await client.query(BEGIN)
  // Another instance may have done it since.
  const meta = await read()
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

export const isOlder = ({ schema_version: version }: Meta): boolean => Number(version) < SCHEMA_VERSION
