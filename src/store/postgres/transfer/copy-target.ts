import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import type { PostgresDatabase } from '../../database.ts'
import type { CopySource, CopyTarget } from '../../transfer.ts'
import { targetInUse, targetNotEmpty, UNFINISHED_COPY } from '../../unfinished-copy.ts'
import { lockNotAvailable } from '../connection/failures.ts'
import { BEGIN } from '../connection/transaction.ts'
import { explainDenied } from '../grants.ts'
import { migratePostgres } from '../migrations/migrate.ts'
import { connectDedicated } from './dedicated-client.ts'
import { insertDeprecatedCalls, insertKeys, insertPets, insertRequests } from './insert-batches.ts'
import { postgresSnapshot } from './snapshot.ts'

/** The server needs time to notice that a process that held the lock is gone. */
const WAIT_FOR_LOCK_MS = 3000

/** Animals never change, so those of an interrupted copy stay. Everything else may have changed since. */
const CHANGING_TABLES = ['api_keys', 'idempotency', 'deprecated_calls']
const USED_TABLES = ['pets', ...CHANGING_TABLES]

/**
 * One connection copies the data. Another locks the counter's row until the end, in the transaction that finishes the
 * copy: meanwhile no service can add an animal and no second copy can start, and the lock cannot outlive this process.
 */
export async function openPostgresCopyTarget(
  database: PostgresDatabase,
  environment: Environment,
): Promise<CopyTarget> {
  const { publicName: name } = database
  const { client } = await connectDedicated(database, { durable: true })
  const { client: guard } = await connectDedicated(database, { durable: true })
  const close = async (): Promise<void> => {
    await Promise.allSettled([client.end(), guard.end()])
  }
  try {
    await refuseUsed(client, name)
    await migratePostgres(client, environment)
  } catch (error) {
    const reason = await explainDenied(client, error)
    await close()
    throw reason
  }
  return {
    begin: async source => {
      await holdCounter(guard, name)
      try {
        return await begin(client, name, source)
      } catch (error) {
        throw await explainDenied(client, error)
      }
    },
    add: {
      pets: batch => insertPets(client, batch),
      keys: batch => insertKeys(client, batch),
      requests: batch => insertRequests(client, batch),
      deprecatedCalls: batch => insertDeprecatedCalls(client, batch),
    },
    snapshot: () => postgresSnapshot(client, async () => {}),
    clear: () => clear(client, USED_TABLES),
    finish: async lastId => {
      await guard.query('UPDATE pet_counter SET last_id = $1', [lastId])
      await guard.query('DELETE FROM meta WHERE name = $1', [UNFINISHED_COPY])
      await guard.query('COMMIT')
      // A bulk load leaves the planner without statistics until autovacuum runs.
      await client.query(`ANALYZE ${USED_TABLES.join(', ')}`)
    },
    close,
  }
}

async function refuseUsed(client: pg.ClientBase, name: string): Promise<void> {
  const holds = async (table: string, condition = 'true'): Promise<boolean> => {
    const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      table,
    ])
    if (rows[0]?.exists !== true) return false
    const found = await client.query(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`)
    return found.rows.length > 0
  }
  if (await holds('meta', `name = '${UNFINISHED_COPY}'`)) return
  if (await holds('pet_counter', 'last_id > 0')) throw targetNotEmpty(name)
  for (const table of USED_TABLES) if (await holds(table)) throw targetNotEmpty(name)
}

async function holdCounter(guard: pg.ClientBase, name: string): Promise<void> {
  // This transaction commits last, when everything before it is on disk.
  await guard.query(BEGIN)
  try {
    await guard.query(`SET LOCAL lock_timeout = ${WAIT_FOR_LOCK_MS}`)
    await guard.query('SELECT last_id FROM pet_counter FOR UPDATE')
  } catch (error) {
    throw lockNotAvailable(error) ? targetInUse(name, error) : error
  }
}

async function begin(
  client: pg.ClientBase,
  name: string,
  { name: sourceName, cursorSecret }: CopySource,
): Promise<bigint> {
  await refuseUsed(client, name)
  const { rows } = await client.query<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'cursor_secret'",
  )
  const isSameSource = rows[0]?.value === cursorSecret
  await client.query(BEGIN)
  // The server may still be running the last batch of a copy that was killed.
  await client.query('LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE')
  await clear(client, isSameSource ? CHANGING_TABLES : USED_TABLES)
  await client.query(
    `INSERT INTO meta VALUES ($1, $2), ('cursor_secret', $3)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [UNFINISHED_COPY, sourceName, cursorSecret],
  )
  const last = await client.query<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM pets')
  await client.query('COMMIT')
  return BigInt(last.rows[0]?.id ?? 0)
}

async function clear(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  await client.query(`TRUNCATE ${tables.join(', ')}`)
}
