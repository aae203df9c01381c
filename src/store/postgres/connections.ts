import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cannotAnswer, unavailable } from './failures.ts'
import type { Hosts } from './hosts.ts'

/** To reach a host, and as long again to hear whether it may be written to; shared out among the hosts. */
const CONNECT_MS = 1250
/** With both of those it stays below the 5 seconds within which an answer is due, whatever the database does. */
const QUERY_MS = 2000
/** A starting instance waits while others bring the schema up to date, and that takes as long as the tables are large. */
const PREPARE_MS = 10 * 60 * 1000
/** A server that hangs does not say goodbye either. */
const CLOSE_MS = 1000
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
  readonly #urls: readonly string[]
  readonly #pools: readonly pg.Pool[]
  #current = 0

  constructor({ urls, readWrite }: Hosts) {
    this.#urls = urls
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

  /** Lends a connection of its own, with time for statements that take long: the work before the first request. */
  async withClient<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    // The pool finds the host.
    ;(await this.#acquire()).release()
    const connectionString = this.#urls[this.#current] as string
    const client = new pg.Client({ ...clientOptions(connectionString, CONNECT_MS), ...deadline(PREPARE_MS) })
    client.on('error', () => {})
    await client.connect()
    try {
      return await use(client)
    } finally {
      await Promise.race([client.end(), sleep(CLOSE_MS)])
    }
  }

  get state() {
    const pool = this.#pool(this.#current)
    return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: MAX_CONNECTIONS }
  }

  async close(): Promise<void> {
    const ended = Promise.all(this.#pools.map(pool => pool.end()))
    await Promise.race([ended, sleep(CLOSE_MS)])
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

const deadline = (ms: number) => ({ query_timeout: ms, statement_timeout: ms })

const clientOptions = (connectionString: string, connectMs: number): pg.ClientConfig => ({
  connectionString,
  application_name: 'petstore',
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  ...deadline(QUERY_MS),
})

function openPool(connectionString: string, readWrite: boolean, connectMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(connectionString, connectMs),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    ...(readWrite && { verify: refuseReadOnly(connectMs) }),
  })
  // An idle connection that breaks is dropped by the pool; the next request opens another.
  pool.on('error', () => {})
  // One that breaks while it is lent says so to its query, and once more to whoever listens: without a listener the
  // runtime would take that for a fault of ours.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Called for every new connection: a standby, or a primary that was demoted, is passed over. */
const refuseReadOnly =
  (withinMs: number) =>
  (client: pg.ClientBase, done: (error?: Error) => void): void => {
    const question = { text: 'SHOW transaction_read_only', query_timeout: withinMs }
    client
      .query<{ transaction_read_only: string }>(question)
      .then(
        ({ rows }) =>
          done(rows[0]?.transaction_read_only === 'off' ? undefined : new Error('This host is read-only')),
        done,
      )
  }
