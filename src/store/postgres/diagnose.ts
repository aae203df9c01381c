import { type Diagnosis, type Finding, ok } from '../diagnosis.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { assertUsable, SERVICE_FACTS } from './check.ts'
import { withConnection } from './pool.ts'
import { type PostgresLocation, prepareSchema, requireMeta } from './schema.ts'

/** All queries here are small. */
const LIMITS = { statementMs: 10_000 }

/** Checks a database on a server as a start does, and stops at the first failure. */
export async function diagnosePostgres(location: PostgresLocation): Promise<Diagnosis> {
  const findings: Finding[] = []
  try {
    return await withConnection(location.database, LIMITS, async client => {
      const started = performance.now()
      const { facts } = await assertUsable(client)
      const tookMs = (performance.now() - started).toFixed(1)
      findings.push(
        ok('database', `PostgreSQL ${facts.version}, responds in ${tookMs} ms`),
        ok('durability', 'fsync and full_page_writes are on, so every animal confirmed with 201 is on disk'),
      )
      await prepareSchema(client, location, 'ROLLBACK')
      await requireMeta(client, location)
      await assertUsable(client, SERVICE_FACTS)
      const { rows } = await client.query<KeyRow>(SELECT_KEYS)
      return { findings, keys: rows.map(row => ({ ...keyOf(row), hash: row.hash })) }
    })
  } catch (failure) {
    return { findings, failure }
  }
}
