import type pg from 'pg'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { unavailable } from '../errors.ts'

/** How soon a change that breaks no connection is noticed. */
const CHECK_EVERY_MS = 1000

export interface ServerFacts {
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
  readonly isolation: string
  readonly encoding: string
  readonly read_only: string
  readonly is_standby: boolean
  /** Grows with each promotion; a standby does not tell it. */
  readonly timeline: number | null
  /** Differs if the server was restarted, or its table of animals was replaced. */
  readonly run: string
  readonly version: string
  readonly now: Date
}

/** The control file learns a new timeline only from the checkpoint after a promotion; the name of the log has it at once. */
export const SERVER_FACTS = `
  SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    current_setting('default_transaction_isolation') AS isolation, current_setting('server_encoding') AS encoding,
    current_setting('transaction_read_only') AS read_only, pg_is_in_recovery() AS is_standby,
    CASE WHEN NOT pg_is_in_recovery() THEN
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline,
    concat_ws(' ', pg_postmaster_start_time(), pg_relation_filenode(to_regclass('pets'))) AS run,
    current_setting('server_version') AS version, clock_timestamp() AS now`

/** What prevents the use of a server: it takes no writes, could lose a commit, or cannot keep every name. */
export function problemOf(facts: ServerFacts, where: string): OperatorError | undefined {
  if (facts.is_standby)
    return new OperatorError(
      `${where} is a standby, which takes no writes; DATABASE_URL must lead to the primary.`,
      { exit: 'unavailable' },
    )
  if (facts.read_only !== 'off')
    return new OperatorError(`${where} is read-only; default_transaction_read_only must be off.`, {
      exit: 'unavailable',
    })
  for (const name of ['fsync', 'full_page_writes'] as const)
    if (facts[name] !== 'on')
      return new OperatorError(`PostgreSQL's ${name} is off, so a power cut could lose animals.`)
  if (facts.synchronous_commit === 'local' && facts.synchronous_standby_names !== '')
    return new OperatorError(
      "PostgreSQL's synchronous_commit is local, but synchronous_standby_names names standbys: one that takes over could " +
        'lack animals. Set synchronous_commit to on, or name no synchronous standbys.',
    )
  if (facts.isolation !== 'read committed')
    return new OperatorError(
      `PostgreSQL's default_transaction_isolation is ${facts.isolation}; it must be read committed for this database and role.`,
    )
  if (facts.encoding !== 'UTF8')
    return new OperatorError(
      `The database's encoding is ${facts.encoding}; it must be UTF8 to keep every name. ` +
        'Create it with: createdb --encoding=UTF8 --template=template0 NAME',
    )
  return undefined
}

/** Reads the facts, and where they were read. */
export async function readFacts(client: pg.Client): Promise<{ facts: ServerFacts; where: string }> {
  const { rows } = await client.query<ServerFacts>(SERVER_FACTS)
  return { facts: rows[0] as ServerFacts, where: `${client.host}:${client.port}` }
}

/** Checks the server each second, and before the next query whenever a connection broke: another server may answer now. */
export class ServerCheck {
  /** Grows when the server may have lost its last commits. Connections and cached answers of an earlier epoch are not used. */
  epoch = 0
  #passedIn: number | undefined
  #timeline = 0
  #run: string | undefined
  #refusal: string | undefined
  #running: Promise<void> | undefined
  readonly #ask: () => Promise<ServerFacts>
  readonly #host: string
  readonly #observe: Observe
  readonly #timer: NodeJS.Timeout

  constructor(ask: () => Promise<ServerFacts>, host: string, observe: Observe) {
    this.#ask = ask
    this.#host = host
    this.#observe = observe
    this.#timer = setInterval(() => void this.run().catch(() => {}), CHECK_EVERY_MS)
    this.#timer.unref()
  }

  /** A connection broke or gave no answer. */
  doubt(): void {
    this.epoch++
  }

  /** Resolves if the check passed in this epoch. */
  async passed(): Promise<void> {
    while (this.#passedIn !== this.epoch) await this.run()
  }

  /** Concurrent callers share one check. */
  run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const { epoch } = this
    try {
      const facts = await this.#ask()
      const problem = problemOf(facts, this.#host) ?? this.#olderTimeline(facts.timeline ?? 0)
      if (problem !== undefined) throw problem
      this.#refusal = undefined
      this.#timeline = facts.timeline ?? 0
      const isSame = facts.run === (this.#run ?? facts.run)
      this.#run = facts.run
      if (!isSame) this.doubt()
      this.#passedIn = isSame ? epoch : epoch + 1
    } catch (error) {
      this.doubt()
      if (error instanceof OperatorError) this.#report(error.message)
      throw unavailable(error)
    }
  }

  #olderTimeline(timeline: number): OperatorError | undefined {
    if (timeline >= this.#timeline) return undefined
    return new OperatorError(
      `PostgreSQL is on timeline ${timeline}, and this service has seen ${this.#timeline}: a former primary is back. ` +
        'Let DATABASE_URL lead to the present one, or start the service again if this is the right one.',
    )
  }

  #report(reason: string): void {
    if (reason !== this.#refusal) this.#observe({ kind: 'database-refused', host: this.#host, reason })
    this.#refusal = reason
  }
}
