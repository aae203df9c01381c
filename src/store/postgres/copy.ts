import type pg from 'pg'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import { assertUsable } from './check.ts'
import { withConnection } from './pool.ts'
import { BEGIN, type PostgresLocation, prepareSchema } from './schema.ts'

const NO_LIMITS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0'
const LOCK_MS = 3000

/** One transaction that sees one state. */
export const readPostgres = <T>(
  { database }: PostgresLocation,
  work: (source: copy.CopySource) => Promise<T>,
): Promise<T> =>
  withConnection(database, { isCopy: true }, async client => {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NO_LIMITS}`)
    const { rows } = await client.query<{ last_id: string; secret: string }>(
      `SELECT greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets)) AS last_id,
         (SELECT value FROM meta WHERE name = 'cursor_secret') AS secret`,
    )
    const { last_id: lastId = '0', secret = '' } = rows[0] ?? {}
    return work({ lastId: BigInt(lastId), cursorSecret: secret, rows: table => rowsOf(client, table) })
  })

/** One transaction into empty tables, which are marked before anyone else can use them, and until its commit. */
export const fillPostgres = <T>(
  location: PostgresLocation,
  mark: copy.CopyMark,
  work: (target: copy.CopyTarget) => Promise<T>,
): Promise<T> =>
  withConnection(location.database, { isCopy: true }, async client => {
    await assertUsable(client)
    await client.query(BEGIN)
    if (!(await copy.isBegun(mark, () => prepareSchema(client, location, '')))) {
      await lockEmpty(client, location.database.publicName)
      await client.query(...copy.markStatement(mark))
    }
    await client.query('COMMIT; BEGIN')
    await lockEmpty(client, location.database.publicName)
    await client.query(...copy.markStatement())
    const result = await work({
      rows: table => rowsOf(client, table),
      continueAs: async ({ cursorSecret, lastId }) => {
        await client.query("UPDATE meta SET value = $1 WHERE name = 'cursor_secret'", [cursorSecret])
        await client.query("SELECT setval('pet_ids', $1)", [lastId])
      },
      insert: async (table, rows) => {
        const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`
        await client.query(text, [JSON.stringify(rows)])
      },
    })
    // Whoever reads next publishes what was copied.
    await client.query('DELETE FROM recovered')
    await client.query('COMMIT')
    // A bulk load leaves the planner without statistics until autovacuum runs. What was copied stays in any case.
    await client.query(`ANALYZE ${copy.TABLE_NAMES}`).catch(() => {})
    return result
  })

/** Waits until animals that are being added are committed; later ones are refused. */
export const markPostgres = (database: PostgresDatabase, mark?: copy.CopyMark): Promise<void> =>
  withConnection(database, {}, async client => {
    await client.query(`${BEGIN}; SELECT wait_at_commit()`)
    await client.query(...copy.markStatement(mark))
    await client.query('COMMIT')
  })

/** Locks the tables against writers. A sequence without animals is empty too: a failed commit does not take it back. */
async function lockEmpty(client: pg.Client, name: string): Promise<void> {
  await client.query(`${NO_LIMITS}; SET LOCAL lock_timeout = ${LOCK_MS}; SELECT wait_at_commit()`)
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
