import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { type Finding, fail, ok } from '../../findings.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import type { Diagnosis, DiagnosisOptions } from '../engine.ts'
import { DatabaseMoved, NoDatabase } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import {
  assertUsable,
  misconfigurationOf,
  SERVICE_FACTS,
  type ServiceFacts,
  schemaProblemOf,
} from './check.ts'
import { withConnection } from './pool.ts'
import { type PostgresLocation, prepareSchema, readMeta, requireMeta } from './schema.ts'

/** All queries here are small. */
const LIMITS = { statementMs: 10_000 }

/** Refuses a database whose tables a service could not use, or whose locks lock nothing. */
export async function assertServes(client: pg.Client, { database }: PostgresLocation): Promise<void> {
  try {
    const { rows } = await client.query<ServiceFacts>(SERVICE_FACTS)
    const problem = schemaProblemOf(rows[0] as ServiceFacts)
    if (problem !== undefined) throw problem
    // Of a transaction, because a pooler does not keep a session.
    const lock = `SELECT pg_try_advisory_xact_lock(${randomInt(2 ** 47)}) AS is_granted`
    await client.query(`BEGIN; ${lock}`)
    const second = await withConnection(database, LIMITS, other => other.query<{ is_granted: boolean }>(lock))
    await client.query('ROLLBACK')
    if (second.rows[0]?.is_granted)
      throw new OperatorError(
        'This server grants one advisory lock to two connections. The order of animals depends on these locks, so it cannot be used.',
      )
  } catch (error) {
    throw misconfigurationOf(error) ?? error
  }
}

/** Fails if a start would be refused, and changes nothing. */
export const checkPostgres = (place: PostgresLocation): Promise<void> =>
  withConnection(place.database, LIMITS, async client => {
    await assertUsable(client)
    await prepareSchema(client, place, 'ROLLBACK')
    if ((await readMeta(client, place)) !== undefined) await assertServes(client, place)
  })

/** Checks a database on a server. Stops at the first failure. */
export async function diagnosePostgres(
  place: PostgresLocation,
  { configuredHash = '' }: DiagnosisOptions = {},
): Promise<Diagnosis> {
  const findings: Finding[] = []
  try {
    return await withConnection(place.database, LIMITS, async client => {
      const started = performance.now()
      const { facts } = await assertUsable(client)
      const tookMs = (performance.now() - started).toFixed(1)
      findings.push(
        ok('database', `PostgreSQL ${facts.version}, responds in ${tookMs} ms`),
        ok('durability', 'fsync and full_page_writes are on, so every animal confirmed with 201 is on disk'),
      )
      await prepareSchema(client, place, 'ROLLBACK')
      await requireMeta(client, place)
      await assertServes(client, place)
      const { rows } = await client.query<KeyRow>(SELECT_KEYS)
      const configured = await client.query<KeyRow>(`${SELECT_KEYS} WHERE hash = $1`, [configuredHash])
      return { findings, keys: rows.map(keyOf), configuredKey: configured.rows.map(keyOf)[0] }
    })
  } catch (error) {
    if (error instanceof NoDatabase) return { findings, missing: error }
    if (error instanceof DatabaseMoved) return { findings, moved: error }
    return { findings: [...findings, fail('database', messageOf(error))] }
  }
}
