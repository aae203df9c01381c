import type pg from 'pg'
import { OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'

/** The driver knows this from connection start, but its types do not declare it. */
type Told = pg.ClientBase & { readonly processID: number | null }

/**
 * A pooler reports a number of its own where a server reports its process ID. In transaction mode each transaction may
 * run in a different server process, so nothing may outlive it. What works in that mode also works in session mode.
 */
export async function meetsPooler(client: pg.ClientBase, database: PostgresDatabase): Promise<boolean> {
  if (database.pooler !== undefined) return database.pooler
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  if (isProcessOf(client, rows[0]?.pid)) return false
  if (database.schema !== undefined)
    throw new OperatorError(
      `Behind a pooler ?schema=${database.schema} has no effect. Leave it out, and let the role look there: ALTER ROLE … SET search_path = …`,
    )
  return true
}

export const isProcessOf = (client: pg.ClientBase, pid: number | undefined): boolean =>
  (client as Told).processID === pid
