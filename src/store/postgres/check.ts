import pg from 'pg'
import type { Observe } from '../../observability/events.ts'
import { type Exit, OperatorError } from '../../operator-error.ts'
import { StorageUnavailable, type Trouble } from '../errors.ts'
import { TIMELINE } from './schema.ts'

/** By condition, why a server is not used. The server returns the message, so it is ASCII, which every encoding has. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'pg_is_in_recovery()':
    'SERVER is a standby, which accepts no writes; DATABASE_URL must point to the primary.',
  "EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = to_regclass('pets'))":
    'A subscription writes to the tables on this server, so another one adds animals. Point DATABASE_URL at that one, or drop the subscription if this one takes over.',
  "current_setting('transaction_read_only') <> 'off'":
    'SERVER is read-only: it is being promoted, or default_transaction_read_only is on.',
  "current_setting('fsync') <> 'on'": "PostgreSQL's fsync is off, so a power cut could lose animals.",
  "current_setting('full_page_writes') <> 'on'":
    "PostgreSQL's full_page_writes is off, so a power cut could lose animals.",
  "current_setting('synchronous_commit') = 'local' AND current_setting('synchronous_standby_names') <> ''":
    "PostgreSQL's synchronous_commit is local, but synchronous_standby_names lists standbys: one that takes over could lack animals. Set synchronous_commit to on, or list no synchronous standbys.",
  "current_setting('default_transaction_isolation') <> 'read committed'":
    "PostgreSQL's default_transaction_isolation must be read committed for this database and role.",
  "current_setting('server_encoding') <> 'UTF8'":
    "The database's encoding must be UTF8 to store every name: createdb --encoding=UTF8 --template=template0 NAME",
  'current_schema() IS NULL':
    "The schema in the role's search_path does not exist, or the role may not use it: CREATE SCHEMA NAME AUTHORIZATION ROLE",
}
const SERVER_PROBLEM = `CASE ${Object.entries(PROBLEMS)
  .map(([condition, message]) => `WHEN ${condition} THEN ${pg.escapeLiteral(message)}`)
  .join(' ')} END`

/** What a service does with the objects of the schema. */
const NEEDED = {
  meta: ['SELECT', 'UPDATE'],
  pets: ['SELECT', 'INSERT'],
  pet_ids: ['SELECT', 'UPDATE'],
  durable: ['SELECT', 'UPDATE'],
  recovered: ['SELECT', 'INSERT'],
  idempotency: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  api_keys: ['SELECT', 'UPDATE'],
}
const ROUTINES = ['store_pets', 'assign_pets', 'wait_at_commit', 'publish', 'publish_recovered']
const NAMES = `ARRAY['${ROUTINES.join("', '")}']`
const GRANT = 'Grant it as docs/postgresql.md shows. If somebody dropped it, restore it from a backup.'
/** The privileges that the role lacks, as they are written in a GRANT. */
const LACKS = `nullif(concat_ws(', ',
  (SELECT string_agg(privilege || ' ON ' || name, ', ')
    FROM json_each('${JSON.stringify(NEEDED)}') AS needed (name, privileges), json_array_elements_text(privileges) AS privilege
    WHERE has_table_privilege(to_regclass(name), privilege) IS NOT TRUE),
  (SELECT string_agg('EXECUTE ON ROUTINE ' || name, ', ') FROM unnest(${NAMES}) AS name
    WHERE has_function_privilege(to_regproc(name), 'EXECUTE') IS NOT TRUE)), '')`
const SERVER_FACTS = `SELECT ${SERVER_PROBLEM} AS unusable,
    CASE WHEN NOT pg_is_in_recovery() THEN ('x' || ${TIMELINE})::bit(32)::integer END AS timeline,
    concat_ws(' ', pg_postmaster_start_time(), pg_relation_filenode(to_regclass('pets'))) AS run,
    current_setting('server_version') AS version, current_setting('transaction_read_only') = 'on' AS read_only`
/** For a service, after it has created the tables. */
export const SERVICE_FACTS = `${SERVER_FACTS},
    (SELECT 'The database is part of a copy, so it is refused; petstore doctor says more.' FROM meta WHERE name = 'copy_mark') AS part_of_copy,
    coalesce((SELECT 'There are several routines named ' || proname || '. Drop those that another program created.' FROM pg_proc
      WHERE proname = ANY (${NAMES}) AND pg_function_is_visible(oid) GROUP BY proname HAVING count(*) > 1 LIMIT 1),
      'The role ' || current_user || ' lacks ' || ${LACKS} || '. ${GRANT}') AS lacking,
    (SELECT value FROM meta WHERE name = 'cursor_secret') AS secret,
    (SELECT coalesce(max(id), 0) FROM pets) AS highest_id, (SELECT last_value FROM durable, recovered) AS durable_id`

/** Identifiers to skip where commits are lost; `assign_pets` skips as many on another timeline. */
const SKIPPED = 2n ** 20n

interface ServerFacts {
  /** Why it is not used, by kind, as messages to the operator. */
  readonly unusable: string | null
  readonly part_of_copy?: string | null
  readonly lacking?: string | null
  /** Null on a standby. */
  readonly timeline: number | null
  readonly run: string
  readonly version: string
  /** For a while, if its disk is full or it is being moved. */
  readonly read_only: boolean
}

/** What only a service reads. */
export interface ServiceFacts extends ServerFacts {
  /** Distinguishes stores. */
  readonly secret: string
  readonly highest_id: string
  /** Null until it is published after a crash. */
  readonly durable_id: string | null
}

/** Why a server is not used. One that is older lacks commits that this service has seen. */
export class Refusal extends OperatorError {
  readonly kind: Trouble

  constructor(kind: Refusal['kind'], message: string, options: ErrorOptions & { exit?: Exit } = {}) {
    super(message, { exit: 'refused', ...options })
    this.kind = kind
  }
}

/** Why a server cannot be used, or a service cannot work with its tables. A standby may soon be the primary. */
function problemOf(
  { unusable, part_of_copy, lacking, timeline, read_only }: ServerFacts,
  address: string,
): Refusal | undefined {
  const problem = unusable?.replace(/^SERVER/, address)
  if (problem && timeline === null) return new Refusal('standby', problem, { exit: 'unavailable' })
  if (problem) return new Refusal('unusable', problem, { exit: read_only ? 'unavailable' : 'refused' })
  if (part_of_copy) return new Refusal('part-of-copy', part_of_copy)
  return lacking ? new Refusal('no-privilege', lacking) : undefined
}

/** What an operator has to change, if that is the reason why a statement failed. */
export function misconfigurationOf(cause: unknown): Refusal | undefined {
  if (!(cause instanceof pg.DatabaseError)) return undefined
  const { code = '', message } = cause
  if (['42501', '42P01', '42883'].includes(code))
    return new Refusal('no-privilege', `PostgreSQL says: ${message}. ${GRANT}`, { cause })
  if (['26000', '42P05'].includes(code)) return new Refusal('pooler', POOLER, { cause, exit: 'invalid' })
  return code === '22003' ? new Refusal('used-up', USED_UP, { cause }) : undefined
}

export const POOLER =
  'A pooler in transaction mode keeps neither options nor prepared statements. Add pgbouncer=true to DATABASE_URL and restart the service.'
const OTHER_DATABASE = 'This is not the database that the service started with. Restart the service.'
const GONE_BACK =
  'has gone back to an earlier state, and acknowledged animals may be missing. If another server is the primary, point DATABASE_URL at it. If this one is, restart every instance of the service to go on with what is there.'
const USED_UP =
  "An identifier near the end of 64 bits was assigned, so there are no more. If someone inserted it by hand: delete the animal, DELETE FROM recovered, SELECT setval('pet_ids', max(id)) FROM pets, and restart the service."

/** Returns the facts and the address of a usable server; refuses any other, and tables that a service could not use. */
export async function assertUsable(client: pg.Client, query = SERVER_FACTS) {
  const { rows } = await client.query<ServerFacts>(query).catch((error: unknown) => {
    throw misconfigurationOf(error) ?? error
  })
  const facts = rows[0] as ServerFacts
  const address = `${client.host}:${client.port}`
  const problem = problemOf(facts, address)
  if (problem !== undefined) throw problem
  return { facts, address }
}

/**
 * Checks the server on each new connection and every second, because its settings may change, or another server may take over.
 * Which server it is: `timeline` increases with each promotion, `run` changes if it was restarted or its table of animals replaced.
 * What it has: `highest_id` is of all animals, `durable_id` of those that no crash can take back, which a list shows as its `revision`.
 * What this thread knows: identifiers up to `highestSeen` were returned, and must not be assigned again. `epoch` increases when the
 * server may have lost commits, also because a connection broke. Connections and cached responses of an earlier epoch are not used.
 */
export class ServerCheck {
  epoch = 0
  readonly #address: string
  readonly #secret: string
  readonly #observe: Observe
  /** The last facts of an accepted server. */
  #seen: ServiceFacts | undefined
  /** Since a server was last accepted. A pooler and an older copy stay refused until the service is restarted. */
  #refusals: Refusal[] = []

  constructor(address: string, secret: string, observe: Observe) {
    this.#address = address
    this.#secret = secret
    this.#observe = observe
  }

  /** Whether the server is an earlier state of itself: a former primary, or one that was restored from a backup. */
  hasGoneBack({ timeline, run, highest_id: highestId, secret }: ServiceFacts): boolean {
    const seen = this.#seen
    if (!seen?.timeline || timeline === null || secret !== this.#secret) return false
    if (timeline !== seen.timeline) return timeline < seen.timeline
    // Facts can arrive out of order, so fewer animals mean something only after a restart. Another instance may add to them.
    const isOlder = BigInt(highestId) < BigInt(seen.durable_id ?? 0) || this.#wasRefusedAs('older-copy')
    return run !== seen.run && isOlder
  }

  /** Raises the sequence of a server that has gone back. All who have seen the same animals raise it once. */
  skipSeenIds(): string {
    const id = BigInt(this.#seen?.durable_id ?? 0) + SKIPPED
    return `SELECT setval('pet_ids', ${id}), wait_at_commit() FROM pet_ids WHERE last_value < ${id}`
  }

  /** Refuses a server that must not be used, and remembers any other. */
  accept(facts: ServiceFacts): void {
    const refusal = this.#refusalOf(facts) ?? problemOf(facts, this.#address)
    if (refusal !== undefined) throw this.refused(refusal)
    if (facts.run !== (this.#seen?.run ?? facts.run)) this.epoch++
    const known = facts.timeline === this.#seen?.timeline ? this.#seen.durable_id : null
    this.#seen = { ...facts, durable_id: facts.durable_id ?? known }
    this.#refusals = []
  }

  /** The error to throw instead of using the server. Each reason is reported once. */
  refused(refusal: Refusal): StorageUnavailable {
    const { kind, message: reason } = refusal
    this.epoch++
    if (!this.#refusals.some(({ message }) => message === reason)) {
      this.#observe({ kind: 'database-refused', host: this.#address, reason })
      this.#refusals.push(refusal)
    }
    return new StorageUnavailable(refusal, kind)
  }

  #wasRefusedAs(kind: Refusal['kind']): boolean {
    return this.#refusals.some(refusal => refusal.kind === kind)
  }

  /** Why this is not the database that the service was started with, as it was last seen. */
  #refusalOf(facts: ServiceFacts): Refusal | undefined {
    if (this.#wasRefusedAs('pooler')) return new Refusal('pooler', POOLER)
    // Cursors and retries from the other store would not be recognised.
    if (facts.secret !== this.#secret) return new Refusal('other-database', OTHER_DATABASE)
    if (!this.hasGoneBack(facts)) return undefined
    const [timeline, seen] = [facts.timeline, this.#seen?.timeline]
    const restarted = 'PostgreSQL was restarted with fewer animals than before'
    if (timeline === seen) return new Refusal('older-copy', `${restarted}: it ${GONE_BACK}`)
    const found = `PostgreSQL is on timeline ${timeline}, and this service has seen ${seen}`
    return new Refusal('older-timeline', `${found}: a former primary is back, or the database ${GONE_BACK}`)
  }
}
