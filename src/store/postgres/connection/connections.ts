import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Observe } from '../../../observability/events.ts'
import { OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import { outcomeUnknown, unavailable } from '../../unavailable.ts'
import { isUndecided, serverCannotAnswer, wasRolledBack } from './failures.ts'
import { Elsewhere, type History } from './history.ts'
import { type Expected, type Proof, readProof, sessionProof, transactionProof } from './prove.ts'
import { inOneTrip, type Statement } from './transaction.ts'

/** To reach a host, and as long again to hear whether it may be written to; shared out among the hosts. */
const CONNECT_MS = 1250
/** With both of those it stays below the 5 seconds within which an answer is due, whatever the database does. */
const QUERY_MS = 2000
/** A server that hangs does not say goodbye either. */
const CLOSE_MS = 1000
export const MAX_WAITING = 5000
/** A request that others keep overtaking is refused before its deadline. */
const TRIES = 5
const IDLE_MS = 60_000
/** What a session asked for holds until its end, so sessions end now and then: the server may be configured more strictly. */
const MAX_LIFETIME_S = 600

interface Query {
  /** Named ones are prepared once a connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  /** It changes something: when its answer does not come, it may or may not have done so. */
  readonly writes?: true
}

interface ConnectionsOptions {
  readonly database: PostgresDatabase
  readonly max: number
  /** Nothing may outlive a transaction: each asks for what it needs, and proves itself. */
  readonly isPooled: boolean
  readonly expected: Expected
  readonly history: History
  readonly observe: Observe
}

/** A bounded pool for each host, and one host in use: the first that answers, may be written to and proves to be durable. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pools: readonly pg.Pool[]
  readonly #connectMs: number
  readonly #proof: Proof
  /** Why a host was refused last, so that each reason is reported once. */
  readonly #refused = new Map<number, string>()
  #confirming: Promise<void> | undefined
  #current = 0

  constructor(options: ConnectionsOptions) {
    const { database, history, max, isPooled, expected } = options
    this.#options = options
    this.#connectMs = CONNECT_MS / database.urls.length
    this.#proof = {
      expected,
      readWrite: database.readWrite,
      anyProcess: isPooled || database.pooler === false,
    }
    const common = { max, connectionTimeoutMillis: this.#connectMs, pipeline: isPooled }
    this.#pools = database.urls.map(url => openPool(url, common, () => history.doubt()))
  }

  /** Runs one statement in a transaction of its own. One that the server took back for the sake of another is run again. */
  async query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    const client = await this.#acquire()
    try {
      const rows = await tryAgain(withinMs => this.#run<Row>(client, query, withinMs))
      client.release()
      return rows
    } catch (error) {
      // After an error or a time-out the state of the connection is unknown, so it is not used again.
      client.release(true)
      if (query.writes && isUndecided(error)) throw outcomeUnknown(error)
      throw serverCannotAnswer(error) ? unavailable(error) : error
    }
  }

  async #run<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    query: Query,
    withinMs: number,
  ): Promise<Row[]> {
    const { text, values = [], name } = query
    if (this.#options.isPooled)
      return (await this.#inTransaction(client, { text, values }, withinMs))?.rows ?? []
    const question = { text, values: [...values], ...(name && { name }), query_timeout: withinMs }
    return (await client.query<Row>(question)).rows
  }

  /** What was answered by a server that does not prove itself counts for nothing. */
  async #inTransaction(
    client: pg.PoolClient,
    statement: Statement | undefined,
    withinMs: number,
  ): Promise<pg.QueryResult | undefined> {
    const { history } = this.#options
    const [begun, answer] = await inOneTrip(client, transactionProof(QUERY_MS), statement, withinMs)
    try {
      history.confirm(client, readProof(client, begun, this.#proof))
    } catch (error) {
      history.doubt()
      throw error
    }
    return answer
  }

  /**
   * Asks the host in use to prove itself once more: its settings and its tables may change under open connections. All who
   * want to know at the same time share one question, so that a crowd takes one connection and no more.
   */
  confirm(): Promise<void> {
    this.#confirming ??= this.#confirm().finally(() => {
      this.#confirming = undefined
    })
    return this.#confirming
  }

  get state() {
    const pool = this.#pools[this.#current] as pg.Pool
    return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: pool.options.max }
  }

  async close(): Promise<void> {
    const ended = Promise.all(this.#pools.map(pool => pool.end()))
    await Promise.race([ended, sleep(CLOSE_MS)])
  }

  async #confirm(): Promise<void> {
    try {
      const client = await this.#acquire({ again: true })
      client.release()
    } catch (error) {
      this.#options.history.doubt()
      throw error
    }
  }

  async #acquire({ again = false } = {}): Promise<pg.PoolClient> {
    if (this.state.waiting >= MAX_WAITING)
      throw unavailable(new Error('Too many requests wait for a connection'))
    let failure: unknown
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const host = (this.#current + tried) % this.#pools.length
      try {
        const client = await this.#connect(host, again)
        this.#current = host
        return client
      } catch (error) {
        failure = error
      }
    }
    throw unavailable(failure)
  }

  /** A connection that has proven itself in the present history. */
  async #connect(host: number, again: boolean): Promise<pg.PoolClient> {
    for (;;) {
      const client = await (this.#pools[host] as pg.Pool).connect()
      if (!again && this.#options.history.isProven(client)) return client
      try {
        await this.#proveOrClose(client, host)
        return client
      } catch (error) {
        // One that was left behind is closed; the next is another, or a new one.
        if (!(error instanceof Elsewhere)) throw error
      }
    }
  }

  async #proveOrClose(client: pg.PoolClient, host: number): Promise<void> {
    try {
      await this.#prove(client)
      this.#refused.delete(host)
    } catch (error) {
      client.release(true)
      if (error instanceof OperatorError) this.#tellRefused(host, error.message)
      throw error
    }
  }

  async #prove(client: pg.PoolClient): Promise<void> {
    const { history, isPooled } = this.#options
    if (isPooled) {
      await this.#inTransaction(client, undefined, this.#connectMs)
      return
    }
    const question = { text: sessionProof(QUERY_MS), query_timeout: this.#connectMs }
    // Several statements in one text are answered by several results, which the types do not know.
    const answers = (await client.query(question)) as unknown as pg.QueryResult[]
    history.confirm(client, readProof(client, answers, this.#proof))
  }

  #tellRefused(host: number, reason: string): void {
    if (this.#refused.get(host) === reason) return
    this.#refused.set(host, reason)
    const { database, observe } = this.#options
    observe({
      kind: 'database-refused',
      host: decodeURIComponent(new URL(database.urls[host] as string).host),
      reason,
    })
  }
}

async function tryAgain<T>(run: (withinMs: number) => Promise<T>): Promise<T> {
  const started = performance.now()
  for (let tried = 1; ; tried++) {
    try {
      // All tries together have the time of one.
      return await run(Math.max(1, started + QUERY_MS - performance.now()))
    } catch (error) {
      if (!wasRolledBack(error) || tried === TRIES) throw error
      // Not in step with the other.
      await sleep(Math.random() * 10 * tried)
    }
  }
}

/** What a server may refuse at the start of a connection is asked for later: a pooler takes no time-outs there. */
function openPool(connectionString: string, options: pg.PoolConfig, onBreak: () => void): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    connectionString,
    application_name: 'petstore',
    keepAlive: true,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: MAX_LIFETIME_S,
  })
  // An idle connection that breaks is dropped by the pool; the next request opens another.
  pool.on('error', () => {})
  // One that breaks, idle or lent, emits an error event: without a listener the runtime would take that for a fault
  // of ours.
  pool.on('connect', client => client.on('error', onBreak))
  return pool
}
