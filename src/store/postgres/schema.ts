import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { PartOfCopy } from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import type { StoreLocation } from '../engine.ts'
import { NoDatabase } from '../errors.ts'
import functions from './functions.sql' with { type: 'text' }
import tables from './schema.sql' with { type: 'text' }

/** Each brings the tables from one version to the next; functions are replaced as a whole. */
const UPGRADES: readonly string[] = [
  `CREATE INDEX pets_available ON pets (id) WHERE status = 'available';
   CREATE INDEX pets_pending ON pets (id) WHERE status = 'pending';
   CREATE INDEX pets_sold ON pets (id) WHERE status = 'sold';
   DROP INDEX pets_by_status`,
  // Replaces add_pets, which failed if one call had an idempotency key twice.
  '',
  // Whoever may add animals may publish them, so running instances of the older release go on.
  `CREATE UNLOGGED TABLE durable (one boolean PRIMARY KEY DEFAULT true CHECK (one), id bigint NOT NULL);
   DO $$ DECLARE role regrole; BEGIN
     FOR role IN SELECT grantee FROM pg_class, aclexplode(relacl)
       WHERE oid = 'pets'::regclass AND privilege_type = 'INSERT' AND grantee <> 0
     LOOP EXECUTE format('GRANT SELECT, INSERT, UPDATE ON durable TO %s', role); END LOOP;
   END $$`,
  // Replaces store_pets, which took JSON. Two of one name would be ambiguous.
  'DROP PROCEDURE IF EXISTS store_pets',
]
const SCHEMA_VERSION = 1 + UPGRADES.length

/** Lets one instance at a time create or upgrade the schema. */
const SCHEMA_LOCK = 1346720851
/** `assign_pets` holds it until its commit. An upgrade takes it first, or each could hold the table that the other waits for. */
export const ADD_LOCK = 1346720852

/**
 * Increases with each promotion. It is the start of the name of the current write-ahead log file, because the control file has a new
 * timeline only after the checkpoint that follows a promotion.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)'

const TABLES = ['meta', 'pets', 'api_keys', 'idempotency']

/** Raised from off, and never lowered, because the operator decides which standbys a commit waits for. */
export const DURABLE_COMMIT =
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)"

/** The server ends the transaction of a machine that is gone. */
export const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SELECT ${DURABLE_COMMIT};
  SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}); SELECT pg_advisory_xact_lock(${ADD_LOCK})`

export type PostgresLocation = StoreLocation<PostgresDatabase>

interface Meta {
  readonly cursorSecret: string
  readonly schemaVersion: number
}

/**
 * The database's metadata, or undefined if it has none of this program's tables. Refuses a database of another program, environment
 * or newer release, and one that is part of a copy.
 */
export async function readMeta(
  client: pg.ClientBase,
  { database, environment }: PostgresLocation,
): Promise<Meta | undefined> {
  const refuse = (reason: string): never => {
    throw new OperatorError(`${reason} It was not changed.`, { exit: 'refused' })
  }
  // Not to_regclass, which may remember within a transaction that a table was missing before the lock was granted.
  const { rows: tables } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND pg_table_is_visible(oid) ORDER BY 1',
    [TABLES],
  )
  if (tables.length === 0) return undefined
  if (tables.length < TABLES.length) {
    const names = tables.map(({ name }) => name).join(', ')
    const advice = 'Use a separate database or schema: ALTER ROLE … SET search_path = …'
    refuse(`The database has tables of another program: ${names}. ${advice}`)
  }
  const { rows } = await client.query<{ name: string; value: string }>('SELECT name, value FROM meta')
  const meta: Partial<Record<string, string>> = Object.fromEntries(rows.map(row => [row.name, row.value]))
  const { environment: owner, cursor_secret: cursorSecret = '', copy_mark: mark } = meta
  const version = Number(meta.schema_version)
  if (owner !== environment) refuse(`This database belongs to ${owner}; this is ${environment}.`)
  const schemas = `schema ${version}; this release knows ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) refuse(`This database was written by a newer release (${schemas}).`)
  if (mark !== undefined) throw new PartOfCopy(database.publicName, mark)
  return { cursorSecret, schemaVersion: version }
}

export async function requireMeta(client: pg.ClientBase, location: PostgresLocation): Promise<Meta> {
  const meta = await readMeta(client, location)
  if (meta === undefined) throw new NoDatabase(`There is no petstore in ${location.database.publicName}.`)
  return meta
}

/**
 * Creates or upgrades the schema in one transaction, and returns the cursor secret. Other instances wait for it. A trial is rolled
 * back, and upgrades nothing, because that would lock tables that a service uses. Without an end, the transaction is the caller's.
 */
export async function prepareSchema(
  client: pg.ClientBase,
  location: PostgresLocation,
  end: 'COMMIT' | 'ROLLBACK' | '' = 'COMMIT',
): Promise<string> {
  const found = await readMeta(client, location)
  if (found !== undefined && found.schemaVersion < SCHEMA_VERSION) await assertOwner(client)
  const isTrial = end === 'ROLLBACK'
  if (found !== undefined && (isTrial || found.schemaVersion === SCHEMA_VERSION)) return found.cursorSecret
  if (end) await client.query(BEGIN)
  // Another instance may have prepared the schema since.
  const meta = await readMeta(client, location)
  const steps = meta === undefined ? [tables] : UPGRADES.slice(meta.schemaVersion - 1)
  for (const step of [...steps, functions]) await client.query(step)
  const { rows } = await client.query<{ timeline: string }>(`SELECT ${TIMELINE} AS timeline`)
  const values = {
    environment: location.environment,
    cursor_secret: meta?.cursorSecret ?? randomBytes(32).toString('hex'),
    schema_version: String(SCHEMA_VERSION),
    timeline: rows[0]?.timeline,
  }
  const text =
    'INSERT INTO meta SELECT * FROM json_each_text($1) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  await client.query(text, [JSON.stringify(values)])
  if (end) await client.query(end)
  return values.cursor_secret
}

/** A service may have a role that uses the tables and cannot change them. */
async function assertOwner(client: pg.ClientBase): Promise<void> {
  const text = "SELECT FROM pg_class WHERE oid = to_regclass('pets') AND pg_has_role(relowner, 'USAGE')"
  if ((await client.query(text)).rows.length > 0) return
  throw new OperatorError(
    'Only the owner of the tables can upgrade the schema. Run petstore keys list of this release as that role, and grant again as docs/postgresql.md shows.',
  )
}
