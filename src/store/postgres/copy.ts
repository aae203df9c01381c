import type pg from 'pg'
import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import {
  COPIED_TABLES,
  COPY_BATCH,
  type CopiedRow,
  type CopiedTable,
  type CopySource,
  type CopyTarget,
  MOVED_TO,
  selectRows,
} from '../copy.ts'
import type { PostgresDatabase } from '../database.ts'
import { noSchema } from '../errors.ts'
import { problemOf, readFacts } from './check.ts'
import { closeClient, connectClient } from './pool.ts'
import { assertOurs, DURABLE_COMMIT, prepareSchema, readMeta } from './schema.ts'

const NO_LIMITS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0'
const LOCK_MS = 3000

/** One transaction that sees one state, whatever a service writes meanwhile. */
export const openPostgresCopySource = (
  database: PostgresDatabase,
  environment: Environment,
): Promise<CopySource> =>
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
): Promise<CopyTarget> =>
  connected(database, async (client, close) => {
    const { facts, where } = await readFacts(client)
    const problem = problemOf(facts, where)
    if (problem !== undefined) throw problem
    await prepareSchema(client, environment)
    await begin(client, database.publicName)
    return {
      rows: table => rowsOf(client, table),
      insert: (table, rows) => insert(client, table, rows),
      commit: async ({ cursorSecret, lastId }) => {
        await client.query("UPDATE meta SET value = $1 WHERE name = 'cursor_secret'", [cursorSecret])
        await client.query("SELECT setval('pet_ids', $1)", [lastId])
        await client.query('COMMIT')
        // A bulk load leaves the planner without statistics until autovacuum runs.
        await client.query(`ANALYZE ${COPIED_TABLES.map(({ name }) => name)}`)
      },
      close,
    }
  })

export const markPostgresMoved = (database: PostgresDatabase, place: string | undefined): Promise<void> =>
  connected(database, async (client, close) => {
    if ((await readMeta(client)) === undefined) throw noSchema(database.publicName)
    await client.query('DELETE FROM meta WHERE name = $1', [MOVED_TO])
    if (place !== undefined) await client.query('INSERT INTO meta VALUES ($1, $2)', [MOVED_TO, place])
    await close()
  })

/** A connection for the whole copy; closing it rolls back what is not committed. */
async function connected<T>(
  database: PostgresDatabase,
  open: (client: pg.Client, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await connectClient(database)
  const close = async (): Promise<void> => void (await closeClient(client))
  try {
    return await open(client, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** Locks the tables against writers. A sequence without animals is empty too: a failed commit does not take it back. */
async function begin(client: pg.Client, name: string): Promise<void> {
  const tables = COPIED_TABLES.map(table => table.name)
  await client.query(`BEGIN; ${NO_LIMITS}; SET LOCAL lock_timeout = ${LOCK_MS}; SELECT ${DURABLE_COMMIT}`)
  try {
    await client.query(`LOCK TABLE ${tables} IN EXCLUSIVE MODE`)
  } catch (cause) {
    throw new OperatorError(`${name} is in use. Stop what uses it.`, { cause, exit: 'unavailable' })
  }
  const { rows } = await client.query<{ used: boolean }>(
    `SELECT ${tables.map(table => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS used`,
  )
  if (rows[0]?.used) throw new OperatorError(`${name} is not empty. A copy needs an empty database.`)
}

async function insert(client: pg.Client, { name, columns }: CopiedTable, rows: readonly CopiedRow[]) {
  const names = Object.keys(columns)
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
  const values = names.map((_, column) => rows.map(row => row[column]))
  await client.query(`INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays})`, values)
}

/** A cursor sorts once for all batches. */
async function* rowsOf(client: pg.Client, table: CopiedTable): AsyncGenerator<CopiedRow[]> {
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR ${selectRows(table, '"C"')}`)
  const fetch = { text: `FETCH ${COPY_BATCH} FROM copied`, rowMode: 'array' as const }
  for (;;) {
    const { rows } = await client.query<(string | null)[]>(fetch)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('CLOSE copied')
}
