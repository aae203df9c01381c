import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import { OperatorError } from '../../../operator-error.ts'
import { UNFINISHED_COPY, unfinishedCopy } from '../../unfinished-copy.ts'
import { isTooNew, READABLE_FROM } from '../migrations/schema-state.ts'
import { isProcessOf } from './pooler.ts'
import { durableCommits, type Scope, settingWherePresent } from './transaction.ts'

interface Settings {
  fsync: string | null
  full_page_writes: string | null
  synchronous_commit: string | null
  synchronous_standby_names: string | null
  server_encoding: string | null
}

interface Contents {
  environment: string | null
  cursor_secret: string | null
  unfinished_copy: string | null
  version: number | null
  readable_from: string | null
  identity: string
  pid: number
}

/** What the service found when it started. If any of it differs, this is another database. */
export interface Expected {
  readonly environment: Environment
  readonly cursorSecret: string
  /** The lowest acceptable schema version: a newer release may have upgraded it since. */
  readonly version: number
}

/**
 * Every transaction is READ COMMITTED, regardless of the defaults of server, database or user: a stricter level fails
 * when two instances add animals at once, and our statements need no more. Later configuration changes do not affect
 * it.
 */
const settings = (holds: Scope): string => `
  SELECT current_setting('fsync', true) AS fsync, current_setting('full_page_writes', true) AS full_page_writes,
    ${durableCommits(holds)} AS synchronous_commit,
    current_setting('synchronous_standby_names', true) AS synchronous_standby_names,
    set_config('default_transaction_isolation', 'read committed', ${holds === 'transaction'}),
    current_setting('server_encoding', true) AS server_encoding,
    current_setting('transaction_read_only', true) AS read_only`

/** A different or restarted server has a different start time; a restored table has a different file. */
export const RUN = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
    pg_relation_filenode(to_regclass('pets')), current_database())`

const CONTENTS = `
  SELECT (SELECT value FROM meta WHERE name = 'environment') AS environment,
    (SELECT value FROM meta WHERE name = 'cursor_secret') AS cursor_secret,
    (SELECT value FROM meta WHERE name = '${UNFINISHED_COPY}') AS unfinished_copy,
    (SELECT max(version) FROM migrations) AS version,
    (SELECT value FROM meta WHERE name = '${READABLE_FROM}') AS readable_from,
    ${RUN} AS identity,
    pg_backend_pid() AS pid`

/** Makes every commit in the scope wait for the disk; throws if the server cannot. */
export async function makeDurable(client: pg.ClientBase, holds: Scope): Promise<void> {
  const { rows } = await client.query<Settings>(settings(holds))
  assertDurable(rows[0] as Settings)
}

/** The host is a standby, or a server configured to be read-only. */
export class ReadOnly extends Error {
  override readonly name = 'ReadOnly'
}

export async function assertTakesWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ read_only: string; is_standby: boolean }>(
    "SELECT current_setting('transaction_read_only') AS read_only, pg_is_in_recovery() AS is_standby",
  )
  const where = `${client.host}:${client.port}`
  if (rows[0]?.is_standby)
    throw new ReadOnly(`${where} is a standby, which takes no writes; DATABASE_URL must lead to the primary`)
  if (rows[0]?.read_only !== 'off')
    throw new ReadOnly(`${where} is read-only; default_transaction_read_only must be off`)
}

/** A server that sends to a machine that is gone would keep the transaction's locks until TCP gives up. */
const GIVE_UP_MS = 10_000
const GIVE_UP_ON_US = `SELECT ${settingWherePresent('tcp_user_timeout', `'${GIVE_UP_MS}'`, 'session')}`

/**
 * A plan is made once per connection and kept. One made while a table was small would still scan all of it after it has
 * grown; frequent queries have an index. Without one, the planner assumes a high cost, which must not start the JIT
 * compiler.
 */
export const goByIndex = (holds: Scope): string =>
  `SELECT ${['enable_seqscan', 'jit'].map(name => settingWherePresent(name, "'off'", holds)).join(', ')}`

export interface Proof {
  readonly expected: Expected
  readonly readWrite: boolean
  /** Whether a different server process than at connection start is acceptable, as behind a pooler. */
  readonly anyProcess: boolean
}

/** Runs before a connection is used, and limits the time of every later statement on it. */
export const sessionProof = (statementMs: number): string =>
  `SET statement_timeout = ${statementMs}; ${GIVE_UP_ON_US}; ${goByIndex('session')}; ${settings('session')}; ${CONTENTS}`

/** Starts each transaction behind a pooler. The server ends the transaction if this instance stops responding. */
export const transactionProof = (statementMs: number): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${statementMs};
   SET LOCAL idle_in_transaction_session_timeout = ${statementMs}; ${goByIndex('transaction')}; ${settings('transaction')}; ${CONTENTS}`

/** Checks durability and that this is the database the service started on; returns which run of the server it is. */
export function readProof(client: pg.ClientBase, answers: readonly pg.QueryResult[], proof: Proof): string {
  const [asked, contents] = answers.slice(-2) as [
    pg.QueryResult<Settings & { read_only: string | null }>,
    pg.QueryResult<Contents>,
  ]
  const { read_only, ...durability } = asked.rows[0] as Settings & { read_only: string | null }
  // A standby or a demoted primary is skipped. It is not a failure.
  if (proof.readWrite && read_only === 'on') throw new ReadOnly('This host is a standby or read-only')
  assertDurable(durability)
  const found = contents.rows[0] as Contents
  assertExpected(found, proof.expected)
  if (!proof.anyProcess && !isProcessOf(client, found.pid))
    throw new OperatorError(
      'A connection pooler is in front of PostgreSQL, and was not when the service started. Start it again.',
    )
  return found.identity
}

/** Refuses a server that could lose a commit or cannot store every name. Absent settings belong to other engines. */
function assertDurable(settings: Settings): void {
  const { fsync, full_page_writes, synchronous_commit, synchronous_standby_names, server_encoding } = settings
  for (const [name, value] of Object.entries({ fsync, full_page_writes, synchronous_commit }))
    if (value === 'off')
      throw new OperatorError(`PostgreSQL's ${name} is off, so a power cut could lose animals.`)
  if (synchronous_commit === 'local' && synchronous_standby_names)
    throw new OperatorError(
      "PostgreSQL's synchronous_commit is local, but synchronous_standby_names names standbys: one that takes over could " +
        'lack animals. Set synchronous_commit to on, or name no synchronous standbys.',
    )
  if (server_encoding !== null && !/^utf-?8$/i.test(server_encoding))
    throw new OperatorError(
      `The database's encoding is ${server_encoding}; it must be UTF8 to keep every name.`,
    )
}

/** The cursor secret was read and the schema upgraded at the start, so neither may differ now. */
function assertExpected(found: Contents, { environment, cursorSecret, version }: Expected): void {
  if (found.unfinished_copy !== null) throw unfinishedCopy('The database', found.unfinished_copy)
  if (isTooNew(found.version ?? 0, found.readable_from ?? undefined))
    throw new OperatorError(
      `The database was brought to schema ${found.version} by a newer release, and this one cannot use that. Replace this instance.`,
    )
  const isSame = found.environment === environment && found.cursor_secret === cursorSecret
  if (!isSame || (found.version ?? 0) < version)
    throw new OperatorError(
      'The database is not the one that this service started on. Put that one back, or start the service again.',
    )
}
