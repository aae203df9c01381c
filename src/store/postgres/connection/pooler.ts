import type pg from 'pg'
import { OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'

/** Known to the driver from the start of a connection, and not to its types. */
type Told = pg.ClientBase & { readonly processID: number | null }

/**
 * A pooler tells its clients a number of its own where a server tells that of its process. In transaction mode each transaction may
 * meet another server process, so nothing may outlive one; what holds in that mode holds in session mode too.
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
