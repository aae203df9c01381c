import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { outcomeUnknown, unavailable } from '../unavailable.ts'
import { cannotAnswer, isUndecided } from './failures.ts'
import type { Hosts } from './hosts.ts'

/** To reach a host, and as long again to hear whether it may be written to; shared out among the hosts. */
const CONNECT_MS = 1250
/** With both of those it stays below the 5 seconds within which an answer is due, whatever the database does. */
const QUERY_MS = 2000
/** A starting instance waits while others bring the schema up to date, and that takes as long as the tables are large. */
const PREPARE_MS = 10 * 60 * 1000
const PREPARE_CONNECT_MS = 10_000
/** A server that hangs does not say goodbye either. */
const CLOSE_MS = 1000
const MAX_WAITING = 5000
const IDLE_MS = 60_000

export interface Query {
  /** Named ones are prepared once a connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  /** It changes something: when its answer does not come, it may or may not have done so. */
  readonly writes?: true
}

/** A bounded pool for each host, and one host in use: the first that answers and may be written to. */
export class Connections {
  readonly #hosts: Hosts
  readonly #pools: readonly pg.Pool[]
  #current = 0

  constructor(hosts: Hosts, max: number) {
    this.#hosts = hosts
    this.#pools = hosts.urls.map(url => openPool(url, hosts.readWrite, max, CONNECT_MS / hosts.urls.length))
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
      if (query.writes && isUndecided(error)) throw outcomeUnknown(error)
      throw cannotAnswer(error) ? unavailable(error) : error
    }
  }

  /** Lends a connection of its own, with time for what takes long: the work before the first request, which nobody awaits. */
  async withClient<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#connectForLong()
    try {
      return await use(client)
    } finally {
      await Promise.race([client.end(), sleep(CLOSE_MS)])
    }
  }

  get state() {
    const pool = this.#pool(this.#current)
    return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: pool.options.max }
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

  async #connectForLong(): Promise<pg.Client> {
    let failure: unknown
    for (const [host, url] of this.#hosts.urls.entries()) {
      const client = new pg.Client({ ...clientOptions(url, PREPARE_CONNECT_MS), ...deadline(PREPARE_MS) })
      client.on('error', () => {})
      try {
        await client.connect()
        if (this.#hosts.readWrite) await refuseReadOnly(client, PREPARE_CONNECT_MS)
        this.#current = host
        return client
      } catch (error) {
        failure = error
        void client.end().catch(() => {})
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

function openPool(connectionString: string, readWrite: boolean, max: number, connectMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(connectionString, connectMs),
    max,
    idleTimeoutMillis: IDLE_MS,
    ...(readWrite && {
      verify: (client: pg.ClientBase, done: (error?: Error) => void) =>
        void refuseReadOnly(client, connectMs).then(() => done(), done),
    }),
  })
  // An idle connection that breaks is dropped by the pool; the next request opens another.
  pool.on('error', () => {})
  // One that breaks while it is lent says so to its query, and once more to whoever listens: without a listener the
  // runtime would take that for a fault of ours.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Asked of every new connection: a standby, or a primary that was demoted, is passed over. */
async function refuseReadOnly(client: pg.ClientBase, withinMs: number): Promise<void> {
  const question = { text: 'SHOW transaction_read_only', query_timeout: withinMs }
  const { rows } = await client.query<{ transaction_read_only: string }>(question)
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('This host is read-only')
}
