import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { PartOfCopy } from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import type { StoreLocation } from '../engine.ts'
import { NoDatabase } from '../errors.ts'
import functions from './functions.sql' with { type: 'text' }
import tables from './schema.sql' with { type: 'text' }

/** The first migration will be a step from 1 to 2, in `prepareSchema`. */
const SCHEMA_VERSION = 1

/** Lets one instance at a time create or upgrade the schema. */
const SCHEMA_LOCK = 1346720851
/** `assign_pets` holds it until its commit. It is null, and no lock, while there is no table. */
const ADD_LOCK = "1346720852, to_regclass('pets')::oid::integer"

/**
 * Increases with each promotion. It is the start of the name of the current write-ahead log file, because the control file has a new
 * timeline only after the checkpoint that follows a promotion.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)'

const TABLES = ['meta', 'pets', 'api_keys', 'idempotency']

/** The server ends the transaction of a machine that is gone. */
export const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s';
  SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}); SELECT pg_advisory_xact_lock(${ADD_LOCK})`

export type PostgresLocation = StoreLocation<PostgresDatabase>

/**
 * The database's cursor secret, or undefined if it has none of this program's tables. Refuses a database of another program, environment
 * or newer release, and one that is part of a copy.
 */
async function readMeta(
  client: pg.ClientBase,
  { database, environment }: PostgresLocation,
): Promise<string | undefined> {
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
    const advice = 'Use a separate database or schema, or restore the tables that somebody dropped.'
    refuse(`The database has only ${names}, of another program or without the other tables. ${advice}`)
  }
  const { rows } = await client.query<{ name: string; value: string }>('SELECT name, value FROM meta')
  const meta: Partial<Record<string, string>> = Object.fromEntries(rows.map(row => [row.name, row.value]))
  const { environment: owner, cursor_secret: cursorSecret = '', copy_mark: mark } = meta
  const version = Number(meta.schema_version)
  if (owner !== environment) refuse(`This database belongs to ${owner}; this is ${environment}.`)
  const schemas = `schema ${version}; this release knows ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION) refuse(`This database was written by a newer release (${schemas}).`)
  if (mark !== undefined) throw new PartOfCopy(database.publicName, mark)
  return cursorSecret
}

export async function requireMeta(client: pg.ClientBase, location: PostgresLocation): Promise<string> {
  const cursorSecret = await readMeta(client, location)
  if (cursorSecret === undefined)
    throw new NoDatabase(`There is no petstore in ${location.database.publicName}.`)
  return cursorSecret
}

/**
 * Creates the schema in one transaction, and returns the cursor secret. Other instances wait for it. A trial is rolled back. Without an
 * end, the transaction is the caller's.
 */
export async function prepareSchema(
  client: pg.ClientBase,
  location: PostgresLocation,
  end: 'COMMIT' | 'ROLLBACK' | '' = 'COMMIT',
): Promise<string> {
  const found = await readMeta(client, location)
  if (found !== undefined) return found
  if (end) await client.query(BEGIN)
  // Another instance may have created the schema since.
  const cursorSecret = (await readMeta(client, location)) ?? (await createSchema(client, location))
  if (end) await client.query(end)
  return cursorSecret
}

async function createSchema(client: pg.ClientBase, { environment }: PostgresLocation): Promise<string> {
  for (const statements of [tables, functions]) await client.query(statements)
  const cursorSecret = randomBytes(32).toString('hex')
  const text = `INSERT INTO meta VALUES ('environment', $1), ('cursor_secret', $2), ('schema_version', $3), ('timeline', ${TIMELINE})`
  await client.query(text, [environment, cursorSecret, String(SCHEMA_VERSION)])
  await client.query('SELECT wait_at_commit()')
  return cursorSecret
}
