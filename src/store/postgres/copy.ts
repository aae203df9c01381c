import type pg from 'pg'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import { assertUsable } from './check.ts'
import { withConnection } from './pool.ts'
import { DURABLE_COMMIT, type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'

const NO_LIMITS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0'
const LOCK_MS = 3000

/** One transaction that sees one state, whatever a service writes meanwhile. */
export const copyFromPostgres = <T>(
  place: PostgresLocation,
  work: (source: copy.CopySource) => Promise<T>,
): Promise<T> =>
  withConnection(place.database, { isCopy: true }, async client => {
    const { cursorSecret } = await requireMeta(client, place)
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NO_LIMITS}`)
    const { rows } = await client.query<{ last_id: string }>(
      'SELECT greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets)) AS last_id',
    )
    return work({ lastId: BigInt(rows[0]?.last_id ?? 0), cursorSecret, rows: table => rowsOf(client, table) })
  })

/** One transaction into empty tables. */
export const copyIntoPostgres = (
  place: PostgresLocation,
  source: copy.CopySource,
  control: copy.CopyControl,
): Promise<copy.CopiedPart[]> =>
  withConnection(place.database, { isCopy: true }, async client => {
    await assertUsable(client)
    await prepareSchema(client, place)
    await begin(client, place.database.publicName)
    const insert: copy.CopyTarget['insert'] = async (table, rows) => {
      const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`
      await client.query(text, [JSON.stringify(rows)])
    }
    const copied = await copy.copyRows(source, { rows: table => rowsOf(client, table), insert }, control)
    await client.query("UPDATE meta SET value = $1 WHERE name = 'cursor_secret'", [source.cursorSecret])
    await client.query("SELECT setval('pet_ids', $1)", [source.lastId])
    await client.query('COMMIT')
    // A bulk load leaves the planner without statistics until autovacuum runs. What was copied stays in any case.
    await client.query(`ANALYZE ${copy.TABLE_NAMES}`).catch(() => {})
    return copied
  })

export const markPostgresMoved = (database: PostgresDatabase, place: string | undefined): Promise<void> =>
  withConnection(database, {}, async client => {
    await client.query('DELETE FROM meta WHERE name = $1', [copy.MOVED_TO])
    if (place !== undefined) await client.query('INSERT INTO meta VALUES ($1, $2)', [copy.MOVED_TO, place])
  })

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
  if (rows[0]?.used) throw new InvalidInput(`${name} is not empty. A copy needs an empty database.`)
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
