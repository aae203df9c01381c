import type pg from 'pg'
import { messageOf, OperatorError } from '../../operator-error.ts'
import { type Diagnosis, type Finding, fail, type OpeningCheck, ok } from '../engine.ts'
import { NoDatabase } from '../errors.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { assertUsable } from './check.ts'
import { withClient } from './pool.ts'
import { isOlder, type Meta, type Place, requireMeta } from './schema.ts'

/** All queries here are small. */
const DEADLINE_MS = 10_000

/** Finds what would refuse a start, and changes nothing. */
export const checkPostgres = (place: Place): Promise<OpeningCheck> =>
  withClient(place.database, DEADLINE_MS, async client => {
    await assertUsable(client)
    return { willUpgrade: isOlder(await metaOrRight(client, place)) }
  })

/** What the database says about itself. Where it is empty, this role must have the right to make it one of ours. */
async function metaOrRight(client: pg.ClientBase, place: Place): Promise<Meta> {
  try {
    return await requireMeta(client, place)
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error
    const { rows } = await client.query<{ schema: string }>(
      "SELECT current_schema() AS schema WHERE NOT has_schema_privilege(current_schema(), 'CREATE')",
    )
    if (rows[0] === undefined) throw error
    const reason = `permission denied for schema ${rows[0].schema}`
    throw new OperatorError(`${place.database.publicName} cannot be used: ${reason}.`)
  }
}

/** Checks a database on a server. The first failure ends it. */
export async function diagnosePostgres(place: Place): Promise<Diagnosis> {
  const findings: Finding[] = []
  try {
    return await withClient(place.database, DEADLINE_MS, async client => {
      const started = performance.now()
      const { facts } = await assertUsable(client)
      const tookMs = (performance.now() - started).toFixed(1)
      findings.push(
        ok('database', `PostgreSQL ${facts.version}, answers in ${tookMs} ms`),
        ok('durability', 'fsync and full_page_writes are on: a 201 is on the disk'),
      )
      await metaOrRight(client, place)
      // Without the table's rights PostgreSQL says which is missing.
      const { rows } = await client.query<KeyRow>(SELECT_KEYS)
      const { rows: counted } = await client.query<{ count: string }>(
        "SELECT reltuples::bigint AS count FROM pg_class WHERE oid = 'pets'::regclass",
      )
      const count = Number(counted[0]?.count)
      findings.push(ok('animals', count < 0 ? 'not counted yet' : `about ${count}`))
      return { findings, keys: rows.map(keyOf) }
    })
  } catch (error) {
    if (error instanceof NoDatabase) return { findings, missing: error }
    return { findings: [...findings, fail('database', messageOf(error))] }
  }
}
