import pg from 'pg'
import { cannotAnswer, unavailable } from './failures.ts'
import type { Hosts } from './hosts.ts'

/** Together they stay below the 5 seconds within which an answer is due, whatever the database does. */
const CONNECT_MS = 1500
const QUERY_MS = 2000
const MAX_CONNECTIONS = 10
const MAX_WAITING = 5000
const IDLE_MS = 60_000

export interface Query {
  /** Named ones are prepared once a connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** A bounded pool for each host, and one host in use: the first that answers and may be written to. */
export class Connections {
  readonly #pools: readonly pg.Pool[]
  #current = 0

  constructor({ urls, readWrite }: Hosts) {
    this.#pools = urls.map(url => openPool(url, readWrite, CONNECT_MS / urls.length))
  }

  /** Runs one statement in a transaction of its own. */
  async query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    const client = await this.#acquire()
    try {
      const { rows } = await client.query<Row>({ ...query, values: [...(query.values ?? [])] })
      client.release()
      return rows
    } catch (error) {
      // After an error or a time-out nobody knows what the connection will say next, so it is not used again.
      client.release(true)
      throw cannotAnswer(error) ? unavailable(error) : error
    }
  }

  /** Lends one connection for several statements, as migrations need it. */
  async withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#acquire()
    try {
      return await use(client)
    } finally {
      client.release(true)
    }
  }

  get state(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const pool = this.#pool(this.#current)
    return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map(pool => pool.end()))
  }

  async #acquire(): Promise<pg.PoolClient> {
    if (this.state.waiting >= MAX_WAITING)
      throw unavailable(new Error('Too many requests wait for a connection'))
    let failure: unknown
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const host = (this.#current + tried) % this.#pools.length
      try {
        const client = await this.#pool(host).connect()
        this.#current = host
        return client
      } catch (error) {
        failure = error
      }
    }
    throw unavailable(failure)
  }

  #pool(host: number): pg.Pool {
    return this.#pools[host] as pg.Pool
  }
}

function openPool(connectionString: string, readWrite: boolean, connectMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'petstore',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    query_timeout: QUERY_MS,
    statement_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...(readWrite && { verify: refuseReadOnly }),
  })
  // An idle connection that breaks is dropped by the pool; the next request opens another.
  pool.on('error', () => {})
  return pool
}

/** Called for every new connection: a standby, or a primary that was demoted, is passed over. */
function refuseReadOnly(client: pg.ClientBase, done: (error?: Error) => void): void {
  client
    .query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    .then(
      ({ rows }) =>
        done(rows[0]?.transaction_read_only === 'off' ? undefined : new Error('This host is read-only')),
      done,
    )
}
