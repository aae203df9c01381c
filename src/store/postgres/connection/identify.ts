import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import type { PostgresDatabase } from '../../database.ts'
import { databaseMark } from '../../mark.ts'
import { assertMade, assertOurSchema } from '../migrations/schema-state.ts'
import { withDedicated } from '../transfer/dedicated-client.ts'

const DEADLINE_MS = 5000

/** The mark of a database, for a caller that does not open it. */
export const identifyPostgres = (database: PostgresDatabase, environment: Environment): Promise<string> =>
  withDedicated(database, { durable: false, deadlineMs: DEADLINE_MS }, async client => {
    await assertMade(client, database.publicName)
    await assertOurSchema(client, environment)
    return databaseMark(environment, await cursorSecretIn(client), await clusterIdentity(client))
  })

export async function cursorSecretIn(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'cursor_secret'",
  )
  return rows[0]?.value ?? ''
}

/** The cluster, whose identifier its standbys share, and the database in it. */
export async function clusterIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ oid: string; tells: boolean | null }>(
    `SELECT oid, has_function_privilege(to_regprocedure('pg_control_system()'), 'execute') AS tells
     FROM pg_database WHERE datname = current_database()`,
  )
  const [database] = rows
  // A server may hide its identifier from us. Then two clusters are harder to tell apart.
  if (!database?.tells) return `:${database?.oid}`
  const cluster = await client.query<{ id: string }>(
    'SELECT system_identifier AS id FROM pg_control_system()',
  )
  return `${cluster.rows[0]?.id}:${database.oid}`
}
