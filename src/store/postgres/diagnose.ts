import { type Finding, fail, ok } from '../../findings.ts'
import { messageOf } from '../../operator-error.ts'
import type { Diagnosis } from '../engine.ts'
import { DatabaseMoved, NoDatabase } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { assertUsable } from './check.ts'
import { withConnection } from './pool.ts'
import { type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'

/** All queries here are small. */
const LIMITS = { statementMs: 10_000 }

/** Fails if a start would be refused, and changes nothing. */
export const checkPostgres = (place: PostgresLocation): Promise<void> =>
  withConnection(place.database, LIMITS, async client => {
    await assertUsable(client)
    await prepareSchema(client, place, 'ROLLBACK')
  })

/** Checks a database on a server. Stops at the first failure. */
export async function diagnosePostgres(place: PostgresLocation): Promise<Diagnosis> {
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
      // Fails with the missing permission in the message if the role may not read the table.
      const { rows } = await client.query<KeyRow>(SELECT_KEYS)
      return { findings, keys: rows.map(keyOf) }
    })
  } catch (error) {
    if (error instanceof NoDatabase) return { findings, missing: error }
    if (error instanceof DatabaseMoved) return { findings, moved: error }
    return { findings: [...findings, fail('database', messageOf(error))] }
  }
}
