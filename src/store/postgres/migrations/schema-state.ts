import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import { OperatorError } from '../../../operator-error.ts'
import { noSchema } from '../../no-database.ts'
import { MIGRATIONS } from './index.ts'

/** The oldest schema whose releases can use this one; written by each migration. */
export const READABLE_FROM = 'readable_from'

/** Another program's database may have tables with these names. */
const TABLES = ['pets', 'pet_counter', 'idempotency', 'api_keys', 'deprecated_calls', 'meta', 'migrations']

/** The version of the schema; 0 if there is none of ours. */
export async function schemaVersion(client: pg.ClientBase): Promise<number> {
  // The columns decide whether the table exists: they come from one snapshot, while to_regclass also sees newer tables.
  const { rows } = await client.query<{ columns: number; ours: boolean }>(
    `SELECT count(*)::integer AS columns, to_regclass('meta') IS NOT NULL
       AND count(*) FILTER (WHERE attname IN ('version', 'name', 'applied_at')) = 3 AS ours
     FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped`,
  )
  const [found] = rows
  if (found === undefined || found.columns === 0) return 0
  if (!found.ours) throw foreign(['migrations'])
  const latest = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM migrations',
  )
  return latest.rows[0]?.version ?? 0
}

/** Refuses to create our tables beside another program's, because one of those could be mistaken for ours. */
export async function assertNoForeignTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE to_regclass('migrations') IS NULL AND to_regclass(name) IS NOT NULL`,
    [TABLES],
  )
  if (rows.length > 0) throw foreign(rows.map(({ name }) => name))
}

const foreign = (names: readonly string[]): OperatorError =>
  new OperatorError(
    `The database has a table of another program that is named ${new Intl.ListFormat('en-GB').format(names)}. ` +
      'Use a database of its own, or a schema (?schema= in DATABASE_URL). It was not changed.',
  )

/** For callers that must not create the schema. */
export async function assertMade(client: pg.ClientBase, name: string): Promise<void> {
  if ((await schemaVersion(client)) === 0) throw noSchema(name)
}

export async function assertOurSchema(client: pg.ClientBase, environment: Environment): Promise<void> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM meta WHERE name = 'environment'")
  const owner = rows[0]?.value
  if (owner !== environment)
    throw new OperatorError(`This database belongs to ${owner}; this is ${environment}. It was not changed.`)
  const version = await schemaVersion(client)
  if (isTooNew(version, await readableFrom(client))) throw tooNew(version)
}

/** For callers that must know the whole schema, including what a newer release added. */
export async function assertKnownSchema(client: pg.ClientBase): Promise<void> {
  const version = await schemaVersion(client)
  if (version > MIGRATIONS.length) throw tooNew(version)
}

const tooNew = (version: number): OperatorError =>
  new OperatorError(
    `This database was written by a newer release (schema ${version}; this release knows ${MIGRATIONS.length}). It was not changed.`,
  )

/** If no step recorded the oldest compatible schema, only releases that know the whole schema can use it. */
export const isTooNew = (version: number, readableFrom: string | undefined): boolean =>
  version > MIGRATIONS.length && Number(readableFrom ?? version) > MIGRATIONS.length

export async function readableFrom(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM meta WHERE name = $1', [
    READABLE_FROM,
  ])
  return rows[0]?.value
}
