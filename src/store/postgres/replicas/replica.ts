import type pg from 'pg'
import type { Observe } from '../../../observability/events.ts'
import { messageOf } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import type { PageQuery } from '../../store.ts'
import { endPools, hostOf, openPool, stateOf } from '../connection/pool.ts'
import { meetsPooler } from '../connection/pooler.ts'
import { goByIndex } from '../connection/prove.ts'
import { type FoundPets, foundIn, type ReplicaRow, replicaStatement } from '../pages.ts'

/** Longer than a page takes. */
const PATIENCE_MS = 100
/** Connecting may take longer than that: meanwhile the primary is asked. */
const CONNECT_MS = 2000
/** How long a standby is left alone after a failure, and after it was behind: longer each time, up to the most. */
const REST_MS = { failed: 2000, behind: 5, behindMost: 1000 }

interface ReplicaOptions {
  readonly replicas: PostgresDatabase
  readonly max: number
  readonly cursorSecret: string
  readonly observe: Observe
}

/** One standby. */
export class Replica {
  readonly #host: string
  readonly #pool: pg.Pool
  readonly #cursorSecret: string
  readonly #observe: Observe
  /** Known once a connection is open. Behind a pooler neither settings nor named statements may outlive a transaction. */
  #isDirect = false
  #restsUntil = 0
  #failedAt = 0
  #behindMs = 0
  /** Why it failed last; undefined once it has answered again. */
  #fault: string | undefined

  constructor(url: string, { replicas, max, cursorSecret, observe }: ReplicaOptions) {
    this.#host = hostOf(url)
    const onConnect = (client: pg.ClientBase) => this.#prepare(client, replicas)
    this.#pool = openPool(url, { max, connectionTimeoutMillis: CONNECT_MS, onConnect }, () => {})
    this.#cursorSecret = cursorSecret
    this.#observe = observe
  }

  get isResting(): boolean {
    return performance.now() < this.#restsUntil
  }

  get state() {
    return stateOf(this.#pool)
  }

  /** What it has, if it follows this run of the primary. */
  async read(query: PageQuery, run: string): Promise<FoundPets | 'behind' | 'failed'> {
    // After a failure a single request tries again, and the others do not wait for it.
    if (this.#fault !== undefined) this.#rest(REST_MS.failed)
    try {
      const { name, ...unnamed } = replicaStatement(query, run)
      const statement = this.#isDirect ? { name, ...unnamed } : unnamed
      const { rows } = await inTime(this.#pool.query<ReplicaRow>(statement))
      const [row] = rows
      if (!row?.is_standby) return this.failed('it is not a standby')
      if (row.is_marked) return foundIn(rows)
      return (await this.#isOfThisStore()) ? this.behind() : this.failed('it belongs to another database')
    } catch (error) {
      return this.failed(messageOf(error))
    }
  }

  /** A success says nothing about a failure that came after it began, nor a page that others follow about being behind. */
  succeeded(began: number, isLastPage: boolean): void {
    if (began < this.#failedAt) return
    this.#restsUntil = 0
    this.#fault = undefined
    if (isLastPage) this.#behindMs = 0
  }

  behind(): 'behind' {
    // Those that were being read meanwhile count as one.
    if (this.#fault !== undefined || !this.isResting) {
      this.#fault = undefined
      this.#behindMs = Math.min(Math.max(REST_MS.behind, this.#behindMs * 2), REST_MS.behindMost)
      this.#rest(this.#behindMs)
    }
    return 'behind'
  }

  failed(reason: string): 'failed' {
    this.#failedAt = performance.now()
    this.#rest(REST_MS.failed)
    if (reason !== this.#fault) this.#observe({ kind: 'replica-unused', host: this.#host, reason })
    this.#fault = reason
    return 'failed'
  }

  close(): Promise<void> {
    return endPools([this.#pool])
  }

  #rest(ms: number): void {
    this.#restsUntil = performance.now() + ms
  }

  /** A standby refuses every statement where the default isolation is serializable, so this brings its own. */
  async #prepare(client: pg.ClientBase, replicas: PostgresDatabase): Promise<void> {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    this.#isDirect = !(await meetsPooler(client, replicas))
    if (this.#isDirect)
      await client.query(
        `SET default_transaction_isolation = 'read committed'; SET statement_timeout = ${CONNECT_MS}; ${goByIndex('session')}`,
      )
    await client.query('COMMIT')
  }

  /** A standby that has not yet received the mark is only behind. */
  async #isOfThisStore(): Promise<boolean> {
    const { rows } = await inTime(
      this.#pool.query<{ value: string }>("SELECT value FROM meta WHERE name = 'cursor_secret'"),
    )
    return rows[0]?.value === this.#cursorSecret
  }
}

/** The answer, within the patience. The pool itself ends what takes longer. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
