import type pg from 'pg'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { unavailable } from '../errors.ts'

/** The control file learns a new timeline only from the checkpoint after a promotion; the name of the log has it at once. */
export const SERVER_FACTS = `
  SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '' AS skips_standbys,
    current_setting('default_transaction_isolation') AS isolation, current_setting('server_encoding') AS encoding,
    current_setting('transaction_read_only') AS read_only, current_schema() AS schema, pg_is_in_recovery() AS is_standby,
    CASE WHEN NOT pg_is_in_recovery() THEN
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline,
    concat_ws(' ', pg_postmaster_start_time(), pg_relation_filenode(to_regclass('pets'))) AS run,
    current_setting('server_version') AS version, clock_timestamp() AS now`

type Setting = 'fsync' | 'full_page_writes' | 'isolation' | 'encoding' | 'read_only'

export interface ServerFacts extends Readonly<Record<Setting, string>> {
  /** Commits do not wait for the synchronous standbys that the server names. */
  readonly skips_standbys: boolean
  /** Where the tables are; null if it does not exist. */
  readonly schema: string | null
  readonly is_standby: boolean
  /** Grows with each promotion; a standby does not tell it. */
  readonly timeline: number | null
  /** Differs if the server was restarted, or its table of animals was replaced. */
  readonly run: string
  readonly version: string
  readonly now: Date
}

/** What prevents the use of a server: it takes no writes, could lose a commit, or cannot keep every name. */
export function problemOf(facts: ServerFacts, where: string): OperatorError | undefined {
  const sentence = sentenceAbout(facts, where)
  const exit = facts.is_standby ? 'unavailable' : 'failed'
  return sentence === undefined ? undefined : new OperatorError(sentence, { exit })
}

function sentenceAbout(facts: ServerFacts, where: string): string | undefined {
  const { is_standby, read_only, fsync, full_page_writes, skips_standbys, isolation, encoding, schema } =
    facts
  if (is_standby)
    return `${where} is a standby, which takes no writes; DATABASE_URL must lead to the primary.`
  if (read_only !== 'off') return `${where} is read-only; default_transaction_read_only must be off.`
  for (const [name, value] of Object.entries({ fsync, full_page_writes }))
    if (value !== 'on') return `PostgreSQL's ${name} is off, so a power cut could lose animals.`
  if (skips_standbys)
    return (
      "PostgreSQL's synchronous_commit is local, but synchronous_standby_names names standbys: one that takes over could " +
      'lack animals. Set synchronous_commit to on, or name no synchronous standbys.'
    )
  if (isolation !== 'read committed')
    return `PostgreSQL's default_transaction_isolation is ${isolation}; it must be read committed for this database and role.`
  if (encoding !== 'UTF8')
    return `The database's encoding is ${encoding}; it must be UTF8 to keep every name: createdb --encoding=UTF8 --template=template0 NAME`
  if (schema === null)
    return 'The schema that DATABASE_URL or the role names does not exist, or the role may not use it: CREATE SCHEMA … AUTHORIZATION …'
  return undefined
}

/** Reads the facts, and where they were read. */
export async function readFacts(client: pg.Client): Promise<{ facts: ServerFacts; where: string }> {
  const { rows } = await client.query<ServerFacts>(SERVER_FACTS)
  return { facts: rows[0] as ServerFacts, where: `${client.host}:${client.port}` }
}

/** Checks the server of each new connection, and each second: then its settings may have changed, or another one took over. */
export class ServerCheck {
  /** Grows when the server may have lost its last commits. Connections and cached answers of an earlier epoch are not used. */
  epoch = 0
  readonly #host: string
  readonly #observe: Observe
  #timeline = 0
  #run: string | undefined
  #refusal: string | undefined

  constructor(host: string, observe: Observe) {
    this.#host = host
    this.#observe = observe
  }

  /** A connection broke or gave no answer. */
  doubt(): void {
    this.epoch++
  }

  /** Refuses a server that may not be used. Reports each reason once. */
  accept(facts: ServerFacts): void {
    const timeline = facts.timeline ?? 0
    const problem = problemOf(facts, this.#host) ?? this.#olderTimeline(timeline)
    if (problem !== undefined) {
      if (problem.message !== this.#refusal)
        this.#observe({ kind: 'database-refused', host: this.#host, reason: problem.message })
      this.#refusal = problem.message
      this.doubt()
      throw unavailable(problem)
    }
    if (facts.run !== (this.#run ?? facts.run)) this.doubt()
    this.#run = facts.run
    this.#timeline = timeline
    this.#refusal = undefined
  }

  #olderTimeline(timeline: number): OperatorError | undefined {
    if (timeline >= this.#timeline) return undefined
    return new OperatorError(
      `PostgreSQL is on timeline ${timeline}, and this service has seen ${this.#timeline}: a former primary is back. ` +
        'Let DATABASE_URL lead to the present one, or start the service again if this is the right one.',
    )
  }
}
