import pg from 'pg'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { StorageUnavailable, StorageWentBack } from '../errors.ts'
import { TIMELINE } from './schema.ts'

/** Reasons not to use a server: it accepts no writes, could lose a commit, or cannot store every name. */
const PROBLEMS = {
  is_standby: 'SERVER is a standby, which accepts no writes; DATABASE_URL must point to the primary.',
  is_subscriber:
    'A subscription writes to the tables on SERVER, so another server adds animals. Point DATABASE_URL at that one, or drop the subscription if this one takes over.',
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

const SERVER_FACTS = `
  SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') <> 'off' AS is_read_only,
    EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = to_regclass('pets')) AS is_subscriber,
    current_setting('fsync') <> 'on' AS lacks_fsync, current_setting('full_page_writes') <> 'on' AS lacks_full_pages,
    current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> '' AS skips_standbys,
    current_setting('default_transaction_isolation') <> 'read committed' AS isolates_more,
    current_setting('server_encoding') <> 'UTF8' AS lacks_unicode, current_schema() IS NULL AS lacks_schema,
    CASE WHEN NOT pg_is_in_recovery() THEN ('x' || ${TIMELINE})::bit(32)::integer END AS timeline,
    concat_ws(' ', pg_postmaster_start_time(), pg_relation_filenode(to_regclass('pets'))) AS run,
    current_setting('server_version') AS version`

/** What a service does with the objects of the schema. */
const NEEDED = {
  meta: ['SELECT', 'UPDATE'],
  pets: ['SELECT', 'INSERT'],
  pet_ids: ['SELECT', 'UPDATE'],
  idempotency: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  api_keys: ['SELECT', 'UPDATE'],
}
const NEEDED_ROWS = Object.entries(NEEDED).flatMap(([name, privileges]) =>
  privileges.map(privilege => `('${name}', '${privilege}')`),
)
const ADDING_FUNCTION = "to_regprocedure('add_pets(pets[], text[], text[], bigint, bigint)')"
/** A batch has at most 512 animals, and after a failover a million identifiers are skipped. */
export const TOO_HIGH = 2n ** 63n - 2n ** 32n

/** For a service, after it has created the tables. */
export const SERVICE_FACTS = `${SERVER_FACTS}, (SELECT value FROM meta WHERE name = 'cursor_secret') AS secret,
    (SELECT value FROM meta WHERE name = 'moved_to') AS moved_to,
    CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() - '0/0' END AS log_end, current_user AS role,
    concat_ws(', ',
      (SELECT string_agg(privilege || ' ON ' || name, ', ') FROM (VALUES ${NEEDED_ROWS}) AS needed (name, privilege)
        WHERE has_table_privilege(to_regclass(name), privilege) IS NOT TRUE),
      CASE WHEN has_function_privilege(${ADDING_FUNCTION}, 'EXECUTE') IS NOT TRUE THEN 'EXECUTE ON FUNCTION add_pets' END) AS lacks,
    greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets)) > ${TOO_HIGH} AS is_used_up`

type Problem = keyof typeof PROBLEMS

interface ServerFacts extends Readonly<Record<Problem, boolean>> {
  /** Increases with each promotion; null on a standby. */
  readonly timeline: number | null
  /** Changes if the server was restarted, or its table of animals was replaced. */
  readonly run: string
  readonly version: string
}

/** What only a service reads. */
export interface ServiceFacts extends ServerFacts {
  /** Distinguishes stores. */
  readonly secret: string
  /** Where the database was copied to; null if it was not. */
  readonly moved_to: string | null
  /** The length of the write-ahead log that is on disk; null on a standby. */
  readonly log_end: string | null
  /** The privileges that the service lacks, as they are written in a GRANT. */
  readonly lacks: string
  readonly role: string
  readonly is_used_up: boolean
}

function problemOf(facts: ServerFacts, where: string): OperatorError | undefined {
  const problem = (Object.keys(PROBLEMS) as Problem[]).find(name => facts[name])
  if (problem === undefined) return undefined
  const exit = problem === 'is_standby' ? 'unavailable' : 'failed'
  return new OperatorError(PROBLEMS[problem].replace('SERVER', where), { exit })
}

/** Why a service cannot work with the tables. */
export function schemaProblemOf(facts: ServiceFacts): string | undefined {
  const { lacks, role, is_used_up: isUsedUp, moved_to: newLocation } = facts
  if (newLocation !== null) return `This database was copied to ${newLocation}, and is refused since then.`
  if (lacks !== '') return `The role ${role} lacks ${lacks}. ${GRANT}`
  return isUsedUp ? USED_UP : undefined
}

/** What an operator has to change, if that is the reason why a statement failed. */
export function misconfigurationOf(cause: unknown): OperatorError | undefined {
  if (!(cause instanceof pg.DatabaseError)) return undefined
  const { code = '', message } = cause
  const problem = (text: string): OperatorError => new OperatorError(text, { cause })
  if (['42501', '42P01', '42883'].includes(code)) return problem(`PostgreSQL says: ${message}. ${GRANT}`)
  if (['26000', '42P05'].includes(code)) return problem(POOLER)
  return code === '22003' ? problem(USED_UP) : undefined
}

const GRANT =
  'Grant it as docs/postgresql.md shows, or start this release once as the owner of the tables, which creates what is missing.'
const POOLER =
  'A pooler in transaction mode loses prepared statements. Add pgbouncer=true to DATABASE_URL and restart the service.'
const USED_UP =
  "An identifier near the end of 64 bits was assigned, so there are no more. If someone inserted it by hand: delete the animal, and SELECT setval('pet_ids', max(id)) FROM pets."

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
  #logEnd = 0
  #run: string | undefined
  #refusal: string | undefined
  /** Stays until the service is started with another URL. */
  #isBehindPooler = false

  constructor(host: string, secret: string, observe: Observe) {
    this.#host = host
    this.#secret = secret
    this.#observe = observe
  }

  /** A connection broke or did not respond. */
  newEpoch(): void {
    this.epoch++
  }

  /** Whether the server is an earlier state of itself: a former primary, or one that was restored from a backup. */
  hasGoneBack({ timeline, run, log_end: logEnd, secret }: ServiceFacts): boolean {
    if (timeline === null || secret !== this.#secret) return false
    // Facts can arrive out of order, so a shorter log means something only after a restart.
    const isShorter = run !== this.#run && Number(logEnd) < this.#logEnd
    return timeline < this.#timeline || (timeline === this.#timeline && isShorter)
  }

  /** Refuses a server that must not be used. */
  refuseUnusable(facts: ServiceFacts): void {
    const loss = this.#lossOf(facts)
    const difference = this.#differenceOf(facts) ?? loss ?? schemaProblemOf(facts)
    const reason = this.#isBehindPooler ? POOLER : difference
    const problem = problemOf(facts, this.#host) ?? (reason && new OperatorError(reason))
    if (problem) this.refuse(problem, problem.message === loss ? StorageWentBack : StorageUnavailable)
  }

  /** Refuses a server that must not be used, and remembers any other. */
  accept(facts: ServiceFacts): void {
    this.refuseUnusable(facts)
    if (facts.run !== (this.#run ?? facts.run)) this.newEpoch()
    this.#run = facts.run
    this.#timeline = facts.timeline ?? 0
    this.#logEnd = Number(facts.log_end)
    this.#refusal = undefined
  }

  /** Reports each reason once. */
  refuse(problem: OperatorError, Failure = StorageUnavailable): never {
    const { message: reason } = problem
    if (reason !== this.#refusal) this.#observe({ kind: 'database-refused', host: this.#host, reason })
    this.#refusal = reason
    this.#isBehindPooler ||= reason === POOLER
    this.newEpoch()
    throw new Failure(problem)
  }

  /** Why this server lacks commits that the service has seen. */
  #lossOf({ timeline }: ServiceFacts): string | undefined {
    if ((timeline ?? 0) >= this.#timeline) return undefined
    return (
      `PostgreSQL is on timeline ${timeline}, and this service has seen ${this.#timeline}: a former primary is back, or the database ` +
      'has gone back to an earlier state, and acknowledged animals may be missing. If another server is the primary, point ' +
      'DATABASE_URL at it. If this one is, restart every instance of the service to go on with what is there.'
    )
  }

  /** Why this is not the database that the service was started with. */
  #differenceOf({ secret }: ServiceFacts): string | undefined {
    // Cursors and retries from the other store would not be recognised.
    if (secret !== this.#secret)
      return 'This is not the database that the service started with. Restart the service.'
    return undefined
  }
}
