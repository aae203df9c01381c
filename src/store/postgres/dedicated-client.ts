import pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { parseHosts } from './hosts.ts'

const CONNECT_MS = 5000

/** Moving everything takes longer than any request may, so the deadlines of the serving pool do not hold here. */
const NO_DEADLINES = 'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0'

/** One connection of its own, to the first host that answers and may be written to where the URL asks for that. */
export async function connectDedicated(databaseUrl: string): Promise<pg.Client> {
  const { urls, readWrite } = parseHosts(databaseUrl)
  let failure: unknown
  for (const connectionString of urls) {
    const client = new pg.Client({
      connectionString,
      application_name: 'petstore',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    // A connection that breaks fails the statement that waits for it; there is nobody else to tell.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(NO_DEADLINES)
      if (!readWrite || !(await isReadOnly(client))) return client
      failure = new Error('no host takes writes')
    } catch (error) {
      failure = error
    }
    await client.end().catch(() => {})
  }
  throw new OperatorError(`The PostgreSQL database cannot be used: ${(failure as Error).message}.`, {
    cause: failure,
  })
}

async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
  return rows[0]?.transaction_read_only !== 'off'
}
