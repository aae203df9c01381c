import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Observe } from '../../../observability/events.ts'
import { OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import { outcomeUnknown, unavailable } from '../../unavailable.ts'
import { isUndecided, serverCannotAnswer, wasRolledBack } from './failures.ts'
import { Elsewhere, type History } from './history.ts'
import { endPools, hostOf, openPool, QUERY_MS, stateOf } from './pool.ts'
import { type Expected, type Proof, readProof, sessionProof, transactionProof } from './prove.ts'
import { inOneTrip, type Statement } from './transaction.ts'

/** The time to connect, and again the time to learn whether the host accepts writes. Divided among the hosts. */
const CONNECT_MS = 1250
export const MAX_WAITING = 5000
/** A request that keeps losing to others is refused before its deadline. */
const TRIES = 5

interface Query {
  /** Named queries are prepared once per connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  /** The query changes something, so without an answer its outcome is unknown. */
  readonly writes?: true
}

interface ConnectionsOptions {
  readonly database: PostgresDatabase
  readonly max: number
  /** Behind a pooler nothing may outlive a transaction, so each one makes its settings and proves its server. */
  readonly isPooled: boolean
  readonly expected: Expected
  readonly history: History
  readonly observe: Observe
}

/** A bounded pool per host, and one host in use: the first that answers, accepts writes and proves to be durable. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pools: readonly pg.Pool[]
  readonly #connectMs: number
  readonly #proof: Proof
  /** Why each host was last refused, so that each reason is reported once. */
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

  /** Runs one statement in its own transaction. Retries if the server rolled it back because of another transaction. */
  async query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]> {
    const client = await this.#acquire()
    try {
      const rows = await tryAgain(withinMs => this.#run<Row>(client, query, withinMs))
      client.release()
      return rows
    } catch (error) {
      // After an error or a time-out the state of the connection is unknown, so it is not reused.
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

  /** An answer from a server that fails the proof is discarded. */
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
   * Checks the current host again, because its settings and tables may change under open connections. Concurrent
   * callers share one check and therefore one connection.
   */
  confirm(): Promise<void> {
    this.#confirming ??= this.#confirm().finally(() => {
      this.#confirming = undefined
    })
    return this.#confirming
  }

  get state() {
    return stateOf(this.#pools[this.#current] as pg.Pool)
  }

  close(): Promise<void> {
    return endPools(this.#pools)
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

  /** A connection that has proven itself in the current history. */
  async #connect(host: number, again: boolean): Promise<pg.PoolClient> {
    for (;;) {
      const client = await (this.#pools[host] as pg.Pool).connect()
      if (!again && this.#options.history.isProven(client)) return client
      try {
        await this.#proveOrClose(client, host)
        return client
      } catch (error) {
        // A connection to a former server is closed; the pool provides another or opens a new one.
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
    // The driver returns one result per statement, which its types do not declare.
    const answers = (await client.query(question)) as unknown as pg.QueryResult[]
    history.confirm(client, readProof(client, answers, this.#proof))
  }

  #tellRefused(host: number, reason: string): void {
    if (this.#refused.get(host) === reason) return
    this.#refused.set(host, reason)
    const { database, observe } = this.#options
    observe({
      kind: 'database-refused',
      host: hostOf(database.urls[host] as string),
      reason,
    })
  }
}

async function tryAgain<T>(run: (withinMs: number) => Promise<T>): Promise<T> {
  const started = performance.now()
  for (let tried = 1; ; tried++) {
    try {
      // All attempts together have the time of one.
      return await run(Math.max(1, started + QUERY_MS - performance.now()))
    } catch (error) {
      if (!wasRolledBack(error) || tried === TRIES) throw error
      // The random delay keeps the two transactions from colliding again.
      await sleep(Math.random() * 10 * tried)
    }
  }
}
