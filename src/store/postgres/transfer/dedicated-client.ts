import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import { exitOf } from '../connection/failures.ts'
import { meetsPooler } from '../connection/pooler.ts'
import { assertTakesWrites, makeDurable } from '../connection/prove.ts'
import { explainDenied } from '../grants.ts'

const CONNECT_MS = 5000
/** A server that hangs does not confirm a close either. */
const CLOSE_MS = 1000

interface DedicatedOptions {
  /** Whether writes must be durable. Hosts on which they would not be are skipped. */
  readonly durable: boolean
  /** The limit per statement. None by default: moving everything takes longer than any request may. */
  readonly deadlineMs?: number
}

interface Dedicated {
  readonly client: pg.Client
  readonly isPooled: boolean
}

/** A dedicated connection to the first host that answers and, if the URL requires it, accepts writes. */
export async function connectDedicated(
  database: PostgresDatabase,
  options: DedicatedOptions,
): Promise<Dedicated> {
  const { urls, readWrite } = database
  let failure: unknown
  for (const connectionString of urls) {
    let client: pg.Client | undefined
    try {
      client = newClient(connectionString, options)
      await client.connect()
      const isPooled = await meetsPooler(client, database)
      if (!isPooled)
        await client.query(
          `SET statement_timeout = ${options.deadlineMs ?? 0}; SET idle_in_transaction_session_timeout = 0`,
        )
      if (readWrite || options.durable) await assertTakesWrites(client)
      if (options.durable) await makeDurable(client, isPooled ? 'transaction' : 'session')
      return { client, isPooled }
    } catch (error) {
      // Prefer the failure that the operator can fix over failures of other hosts.
      if (!(failure instanceof OperatorError)) failure = error
    }
    if (client) await close(client)
  }
  if (failure instanceof OperatorError) throw failure
  const { message } = failure as Error
  throw new OperatorError(`The PostgreSQL database cannot be used: ${message || String(failure)}.`, {
    cause: failure,
    exit: exitOf(failure),
  })
}

/** Reads the certificates that the URL names, which may be missing. */
function newClient(connectionString: string, { deadlineMs }: DedicatedOptions): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: 'petstore',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(deadlineMs !== undefined && { query_timeout: deadlineMs }),
  })
  // A broken connection fails the statement that waits for it, which reports it.
  client.on('error', () => {})
  return client
}

/** Connects, runs the work and closes the connection. */
export async function withDedicated<T>(
  database: PostgresDatabase,
  options: DedicatedOptions,
  use: (client: pg.ClientBase, isPooled: boolean) => Promise<T>,
): Promise<T> {
  const { client, isPooled } = await connectDedicated(database, options)
  try {
    return await use(client, isPooled)
  } catch (error) {
    throw await explainDenied(client, error)
  } finally {
    await close(client)
  }
}

const close = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.end().catch(() => {}), sleep(CLOSE_MS)])
