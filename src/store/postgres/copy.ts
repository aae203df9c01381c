import type pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import { noSchema } from '../errors.ts'
import { assertUsable } from './check.ts'
import { closeClient, connectClient, withClient } from './pool.ts'
import { assertOurs, DURABLE_COMMIT, prepareSchema, readMeta } from './schema.ts'

const NO_LIMITS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0'
const LOCK_MS = 3000

/** One transaction that sees one state, whatever a service writes meanwhile. */
export const openPostgresCopySource = (
  database: PostgresDatabase,
  environment: Environment,
): Promise<copy.CopySource> =>
  connected(database, async (client, close) => {
    const meta = await readMeta(client)
    if (meta === undefined) throw noSchema(database.publicName)
    assertOurs(meta, environment)
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NO_LIMITS}`)
    const { rows } = await client.query<{ last_id: string }>(
      'SELECT greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets)) AS last_id',
    )
    return {
      lastId: BigInt(rows[0]?.last_id ?? 0),
      cursorSecret: meta.cursor_secret,
      rows: table => rowsOf(client, table),
      close,
    }
  })

export const openPostgresCopyTarget = (
  database: PostgresDatabase,
  environment: Environment,
): Promise<copy.CopyTarget> =>
  connected(database, async (client, close) => {
    await assertUsable(client)
    await prepareSchema(client, environment)
    await begin(client, database.publicName)
    return {
      rows: table => rowsOf(client, table),
      insert: async (table, rows) => {
        const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`
        await client.query(text, [JSON.stringify(rows)])
      },
      commit: async ({ cursorSecret, lastId }) => {
        await client.query("UPDATE meta SET value = $1 WHERE name = 'cursor_secret'", [cursorSecret])
        await client.query("SELECT setval('pet_ids', $1)", [lastId])
        await client.query('COMMIT')
        // A bulk load leaves the planner without statistics until autovacuum runs. What was copied stays in any case.
        await client.query(`ANALYZE ${copy.TABLE_NAMES}`).catch(() => {})
      },
      close,
    }
  })

export const markPostgresMoved = (database: PostgresDatabase, place: string | undefined): Promise<void> =>
  withClient(database, 0, async client => {
    if ((await readMeta(client)) === undefined) throw noSchema(database.publicName)
    await client.query('DELETE FROM meta WHERE name = $1', [copy.MOVED_TO])
    if (place !== undefined) await client.query('INSERT INTO meta VALUES ($1, $2)', [copy.MOVED_TO, place])
  })

/** A connection for the whole copy; closing it rolls back what is not committed. */
async function connected<T>(
  database: PostgresDatabase,
  open: (client: pg.Client, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await connectClient(database)
  try {
    return await open(client, () => closeClient(client))
  } catch (error) {
    await closeClient(client)
    throw error
  }
}

/** Locks the tables against writers. A sequence without animals is empty too: a failed commit does not take it back. */
async function begin(client: pg.Client, name: string): Promise<void> {
  await client.query(`BEGIN; ${NO_LIMITS}; SET LOCAL lock_timeout = ${LOCK_MS}; SELECT ${DURABLE_COMMIT}`)
  try {
    await client.query(`LOCK TABLE ${copy.TABLE_NAMES} IN EXCLUSIVE MODE`)
  } catch (cause) {
    throw new OperatorError(`${name} is in use. Stop what uses it.`, { cause, exit: 'unavailable' })
  }
  const isUsed = copy.TABLE_NAMES.map(table => `EXISTS (SELECT FROM ${table})`).join(' OR ')
  const { rows } = await client.query<{ used: boolean }>(`SELECT ${isUsed} AS used`)
  if (rows[0]?.used) throw new OperatorError(`${name} is not empty. A copy needs an empty database.`)
}

/** A cursor sorts once for all batches. The driver returns a bigint as text. */
async function* rowsOf(client: pg.Client, table: copy.CopiedTable): AsyncGenerator<copy.CopiedRow[]> {
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR ${copy.selectRows(table)}`)
  for (;;) {
    const { rows } = await client.query<copy.CopiedRow>(`FETCH ${copy.COPY_BATCH} FROM copied`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('CLOSE copied')
}
