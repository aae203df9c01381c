import type pg from 'pg'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { StorageUnavailable } from '../errors.ts'

/** Reasons not to use a server: it accepts no writes, could lose a commit, or cannot store every name. */
const PROBLEMS = {
  is_standby: 'SERVER is a standby, which accepts no writes; DATABASE_URL must point to the primary.',
  is_read_only: 'SERVER is read-only; default_transaction_read_only must be off.',
  lacks_fsync: "PostgreSQL's fsync is off, so a power cut could lose animals.",
  lacks_full_pages: "PostgreSQL's full_page_writes is off, so a power cut could lose animals.",
  skips_standbys:
    "PostgreSQL's synchronous_commit is local, but synchronous_standby_names lists standbys: one that takes over could lack animals. Set synchronous_commit to on, or list no synchronous standbys.",
  isolates_more:
    "PostgreSQL's default_transaction_isolation must be read committed for this database and role.",
  lacks_unicode:
    "The database's encoding must be UTF8 to store every name: createdb --encoding=UTF8 --template=template0 NAME",
  lacks_schema:
    "The schema in the role's search_path does not exist, or the role may not use it: CREATE SCHEMA … AUTHORIZATION …",
}

/**
 * Takes the timeline from the name of the current write-ahead log file, because the control file has a new timeline only after the
 * checkpoint that follows a promotion.
 */
const SERVER_FACTS = `
  SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') <> 'off' AS is_read_only,
    current_setting('fsync') <> 'on' AS lacks_fsync, current_setting('full_page_writes') <> 'on' AS lacks_full_pages,
    current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '' AS skips_standbys,
    current_setting('default_transaction_isolation') <> 'read committed' AS isolates_more,
    current_setting('server_encoding') <> 'UTF8' AS lacks_unicode, current_schema() IS NULL AS lacks_schema,
    CASE WHEN NOT pg_is_in_recovery() THEN
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline,
    concat_ws(' ', pg_postmaster_start_time(), pg_relation_filenode(to_regclass('pets'))) AS run,
    current_setting('server_version') AS version`

/** For a service, after it has created the tables. */
export const SERVICE_FACTS = `${SERVER_FACTS}, (SELECT value FROM meta WHERE name = 'cursor_secret') AS secret`

type Problem = keyof typeof PROBLEMS

export interface ServerFacts extends Readonly<Record<Problem, boolean>> {
  /** Increases with each promotion; null on a standby. */
  readonly timeline: number | null
  /** Changes if the server was restarted, or its table of animals was replaced. */
  readonly run: string
  readonly version: string
  /** Distinguishes stores; only a service reads it. */
  readonly secret?: string
}

function problemOf(facts: ServerFacts, where: string): OperatorError | undefined {
  const problem = (Object.keys(PROBLEMS) as Problem[]).find(name => facts[name])
  if (problem === undefined) return undefined
  const exit = problem === 'is_standby' ? 'unavailable' : 'failed'
  return new OperatorError(PROBLEMS[problem].replace('SERVER', where), { exit })
}

/** Returns the facts and the address of a usable server; refuses any other. */
export async function assertUsable(client: pg.Client): Promise<{ facts: ServerFacts; where: string }> {
  const { rows } = await client.query<ServerFacts>(SERVER_FACTS)
  const facts = rows[0] as ServerFacts
  const where = `${client.host}:${client.port}`
  const problem = problemOf(facts, where)
  if (problem !== undefined) throw problem
  return { facts, where }
}

/** Checks the server on each new connection and every second, because its settings may change, or another server may take over. */
export class ServerCheck {
  /**
   * Increases when the server may have lost its last commits. Connections and cached responses of an earlier epoch are not used.
   */
  epoch = 0
  readonly #host: string
  readonly #secret: string
  readonly #observe: Observe
  #timeline = 0
  #run: string | undefined
  #refusal: string | undefined

  constructor(host: string, secret: string, observe: Observe) {
    this.#host = host
    this.#secret = secret
    this.#observe = observe
  }

  /** A connection broke or did not respond. */
  newEpoch(): void {
    this.epoch++
  }

  /** Refuses a server that must not be used. Reports each reason once. */
  accept(facts: ServerFacts): void {
    const problem = problemOf(facts, this.#host)?.message ?? this.#differenceOf(facts)
    if (problem !== undefined) {
      if (problem !== this.#refusal)
        this.#observe({ kind: 'database-refused', host: this.#host, reason: problem })
      this.#refusal = problem
      this.newEpoch()
      throw new StorageUnavailable(new Error(problem))
    }
    if (facts.run !== (this.#run ?? facts.run)) this.newEpoch()
    this.#run = facts.run
    this.#timeline = facts.timeline ?? 0
    this.#refusal = undefined
  }

  /** Why this is not the database that the service was started with. */
  #differenceOf({ timeline, secret }: ServerFacts): string | undefined {
    if ((timeline ?? 0) < this.#timeline)
      return (
        `PostgreSQL is on timeline ${timeline}, and this service has seen ${this.#timeline}: a former primary is back. ` +
        'Point DATABASE_URL at the current primary, or restart the service if this is the right server.'
      )
    // Cursors and retries from the other store would not be recognised.
    if (secret !== this.#secret)
      return 'This is not the database that the service started with. Restart the service.'
    return undefined
  }
}
