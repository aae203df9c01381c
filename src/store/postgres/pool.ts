import pg from 'pg'
import {
  codeOf,
  type Exit,
  exitFor,
  InvalidInput,
  messageOf,
  OperatorError,
  plainReason,
} from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import { OutcomeUnknown, StorageUnavailable, type Trouble } from '../errors.ts'
import { misconfigurationOf, POOLER, SERVICE_FACTS, type ServerCheck, type ServiceFacts } from './check.ts'

/** Limits for connecting, checking the server and a query; together less than the 5 seconds that a response may take. */
const CONNECT_MS = 1000
const CHECK_MS = 750
const QUERY_MS = 2000
/** The server gives up first, so that a slow query is not taken for a lost connection. */
const STATEMENT_MS = 1900
const COMMAND_CONNECT_MS = 5000
/** A server that hangs does not confirm a close either. */
const CLOSE_MS = 1000
const IDLE_MS = 60_000
const MAX_WAITING_CALLS = 5000
/** A server that sends to a machine that is gone would keep the locks of its transaction until TCP gives up. */
const TCP_USER_MS = 10_000
/** The server's function that warns if a wait for a synchronous standby was cancelled. Other warnings have the same SQLSTATE. */
const STANDBY_WAIT = 'SyncRepWaitForLSN'

/**
 * SQLSTATE classes that say the server cannot serve now, whatever the statement: connection, read-only, authorisation, no
 * database, deadlock, resources, locks, shutdown, input and output, corruption.
 */
const UNAVAILABLE_STATES = /^(?:08|25|28|3D|40|53|55|57|58|XX)/

/** An error without an SQLSTATE did not come from the server: the connection failed, which is class 08. */
const sqlState = (error: unknown): string =>
  (error instanceof pg.DatabaseError ? error.code : undefined) ?? '08'

/** A statement is cancelled when it reaches its timeout, often because it waits for a lock. */
function troubleOf(error: unknown): Trouble {
  const state = sqlState(error)
  if (state === '53100') return 'disk-full'
  if (/^(?:57014|55P03)/.test(state)) return 'no-response'
  return misconfigurationOf(error)?.kind ?? (/^(?:08|28|3D|57)/.test(state) ? 'unreachable' : 'failing')
}

/** The connection or the server went away, so a statement in progress may have been committed or not. */
const isLost = (error: unknown): boolean => /^(?:08|57P)/.test(sqlState(error))

/** Named statements are prepared once per connection. */
interface Statement extends pg.QueryConfig {
  readonly query_timeout?: number
  readonly writes?: 'in one commit' | 'in several commits'
}

/** A pool, or a connection that was not made by one. */
export interface Queries {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<{ rows: Row[] }>
}

/** What `store_pets` adds to a failure before its first commit. */
const NOT_STORED = 'not stored'

/** Whether a write that failed may have been committed, wholly or in part. */
const isInDoubt = (error: unknown, writes: Statement['writes']): boolean => {
  const saysNotStored = error instanceof pg.DatabaseError && error.detail === NOT_STORED
  return writes !== undefined && (isLost(error) || (writes === 'in several commits' && !saysNotStored))
}

/** Connections of a service. They last no longer than an epoch: an old one may lead to a former primary. */
export class Pool implements Queries {
  readonly #pool: pg.Pool
  readonly #check: ServerCheck
  readonly #isPooled: boolean
  readonly #madeIn = new WeakMap<pg.ClientBase, number>()
  /** The last warning of each connection that only this server has a commit. */
  readonly #warnings = new WeakMap<pg.ClientBase, string | undefined>()

  constructor(database: PostgresDatabase, max: number, check: ServerCheck) {
    this.#check = check
    this.#isPooled = database.pgbouncer
    this.#pool = new pg.Pool({
      ...connectionConfig(database, STATEMENT_MS),
      max,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      onConnect: async client => {
        client.on('error', () => check.epoch++)
        client.on('notice', ({ routine, message }) => {
          if (routine === STANDBY_WAIT) this.#warnings.set(client, message)
        })
        await this.#verify(query => client.query(query))
      },
    })
    // Connections report to their own listener when they break; this one keeps the pool from throwing.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', client => this.#madeIn.set(client, check.epoch))
  }

  /** Calls that are waiting for a connection. */
  get waiting(): number {
    return this.#pool.waitingCount
  }

  /** Checks the server on any connection. */
  check(): Promise<void> {
    return this.#verify(query => this.query(query))
  }

  /** A server that lost commits must skip the identifiers that others have seen, before anyone goes on with it. */
  async #verify(run: (query: Statement) => Promise<{ rows: ServiceFacts[] }>): Promise<void> {
    const limit = { query_timeout: CHECK_MS }
    const { rows } = await run({ text: SERVICE_FACTS, ...limit })
    const facts = rows[0] as ServiceFacts
    // A former primary without its standbys cannot commit; the reason to refuse it says more.
    if (this.#check.hasGoneBack(facts))
      await run({ text: this.#check.skipSeenIds(), ...limit }).catch(() => {})
    this.#check.accept(facts)
  }

  async query<Row extends pg.QueryResultRow>({ writes, ...statement }: Statement): Promise<{ rows: Row[] }> {
    const client = await this.#connect()
    const query = { query_timeout: QUERY_MS, ...statement }
    // PgBouncer may send the next statement to another server process, which has not prepared it.
    if (this.#isPooled) delete query.name
    this.#warnings.delete(client)
    const { rows } = await client.query<Row>(query).catch((error: unknown) => {
      client.release(isLost(error))
      throw this.#failureOf(error, writes)
    })
    client.release()
    const warning = writes && this.#warnings.get(client)
    if (warning) throw new OutcomeUnknown(`PostgreSQL warned: ${warning}`, 'no-response')
    return { rows }
  }

  #failureOf(error: unknown, writes: Statement['writes']): unknown {
    if (isLost(error)) this.#check.epoch++
    const problem = misconfigurationOf(error)
    const refused = problem && this.#check.refused(problem)
    if (isInDoubt(error, writes)) return new OutcomeUnknown(error, troubleOf(error))
    const isUnavailable = UNAVAILABLE_STATES.test(sqlState(error))
    return refused ?? (isUnavailable ? new StorageUnavailable(error, troubleOf(error)) : error)
  }

  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), Bun.sleep(CLOSE_MS)])
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.waiting >= MAX_WAITING_CALLS)
      throw new StorageUnavailable('Too many requests wait for a connection', 'overloaded')
    for (;;) {
      const client = await this.#pool.connect().catch(error => {
        throw error instanceof StorageUnavailable ? error : new StorageUnavailable(error, troubleOf(error))
      })
      if (this.#madeIn.get(client) === this.#check.epoch) return client
      client.release(true)
    }
  }
}

interface CommandOptions {
  /** How long a statement may take; by default as long as it needs. */
  readonly statementMs?: number
  /** A copy's work uses another database too, so its failures are not explained as failures of this one. */
  readonly isCopy?: true
}

/** For commands: connects, does the work and closes the connection, which rolls back what is not committed. */
export async function withConnection<T>(
  database: PostgresDatabase,
  { statementMs = 0, isCopy }: CommandOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const explain = (error: unknown): never => {
    throw asOperatorError(error, database)
  }
  const limits = { connectionTimeoutMillis: COMMAND_CONNECT_MS, query_timeout: statementMs }
  const config = { ...connectionConfig(database, statementMs), ...limits }
  // Also reads the certificates that the URL names.
  const client = await Promise.try(() => new pg.Client(config)).catch((cause: unknown) => {
    const exit = exitFor(cause)
    throw new OperatorError(
      `A certificate for ${database.publicName} cannot be read: ${plainReason(cause)}.`,
      { cause, exit },
    )
  })
  // A broken connection fails the statement that waits for it, which reports it.
  client.on('error', () => {})
  try {
    await client.connect().catch(explain)
    return await (isCopy ? work(client) : work(client).catch(explain))
  } finally {
    await Promise.race([client.end().catch(() => {}), Bun.sleep(CLOSE_MS)])
  }
}

function connectionConfig({ url, pgbouncer }: PostgresDatabase, statementMs: number): pg.ClientConfig {
  const withOptions = new URL(url)
  const given = withOptions.searchParams.get('options') ?? ''
  const options = `${given} -c statement_timeout=${statementMs} -c tcp_user_timeout=${TCP_USER_MS}`
  // PgBouncer refuses options of a session.
  if (!pgbouncer) withOptions.searchParams.set('options', options.trim())
  return { connectionString: withOptions.href, application_name: 'petstore', keepAlive: true }
}

/** By SQLSTATE or its class. */
const ADVICE: Readonly<Record<string, string>> = {
  '08': 'Is PostgreSQL running there, and is DATABASE_URL right?',
  '28': 'Correct the user or the password in DATABASE_URL, or pg_hba.conf on the server.',
  '3D000': 'Create it with: createdb --encoding=UTF8 --template=template0 NAME',
  '42501': 'Grant it as docs/postgresql.md shows, or start once as the role that owns the database.',
  '53300': 'Raise max_connections on the server, or lower connection_limit in DATABASE_URL.',
}

/** A missing database or a refused password stays as it is; after any other failure to answer a later try may succeed. */
function asOperatorError(error: unknown, { publicName, pgbouncer }: PostgresDatabase): unknown {
  if (error instanceof OperatorError) return error
  const state = sqlState(error)
  // PgBouncer refuses our options. Most of its errors have the same state, so only the text tells.
  if (!pgbouncer && /unsupported startup parameter/.test(messageOf(error))) return new InvalidInput(POOLER)
  const advice = ADVICE[state] ?? ADVICE[state.slice(0, 2)] ?? ''
  const message = `${publicName} cannot be used: ${messageOf(error) || codeOf(error)}. ${advice}`.trimEnd()
  return new OperatorError(message, { cause: error, exit: exitOfState(state) })
}

function exitOfState(state: string): Exit {
  if (state === '3D000') return 'missing'
  if (state.startsWith('28')) return 'invalid'
  return UNAVAILABLE_STATES.test(state) ? 'unavailable' : 'refused'
}
