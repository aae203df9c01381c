import type { Environment } from '../../contract/servers.ts'
import { messageOf } from '../../operator-error.ts'
import type { PostgresDatabase } from '../database.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../diagnosis.ts'
import { noSchema } from '../errors.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../key-rows.ts'
import { problemOf, readFacts } from './check.ts'
import { withClient } from './pool.ts'
import { assertOurs, readMeta, SCHEMA_VERSION } from './schema.ts'

/** All queries here are small. */
const DEADLINE_MS = 10_000

/** Checks a database on a server. The first failure ends it. */
export async function diagnosePostgres(
  database: PostgresDatabase,
  environment: Environment,
): Promise<Diagnosis> {
  const findings: Finding[] = []
  const diagnosis = { findings, keys: undefined, lastBackup: undefined, serverTime: undefined }
  let topic = 'database'
  try {
    return await withClient(database, DEADLINE_MS, async client => {
      const started = performance.now()
      const { facts, where } = await readFacts(client)
      const tookMs = (performance.now() - started).toFixed(1)
      findings.push(ok(topic, `PostgreSQL ${facts.version}, answers in ${tookMs} ms`))
      topic = 'durability'
      const problem = problemOf(facts, where)
      if (problem !== undefined) throw problem
      findings.push(ok(topic, 'fsync and full_page_writes are on: a 201 is on the disk'))
      topic = 'schema'
      const meta = await readMeta(client)
      const serverTime = facts.now
      if (meta === undefined) return { ...diagnosis, serverTime, missing: noSchema(database.publicName) }
      assertOurs(meta, environment)
      const version = `schema ${meta.schema_version} of ${SCHEMA_VERSION}`
      if (Number(meta.schema_version) < SCHEMA_VERSION)
        findings.push(advice(topic, `${version}; the next start brings it up to date`))
      else findings.push(ok(topic, version))
      topic = 'rights'
      // Without the table's rights PostgreSQL says which is missing.
      const { rows } = await client.query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys`)
      const { rows: counted } = await client.query<{ count: string }>(
        "SELECT reltuples::bigint AS count FROM pg_class WHERE oid = 'pets'::regclass",
      )
      const count = counted[0]?.count ?? '-1'
      findings.push(ok('animals', Number(count) < 0 ? 'not counted yet' : `about ${count}`))
      return { ...diagnosis, serverTime, keys: rows.map(keyOf) }
    })
  } catch (error) {
    findings.push(fail(topic, messageOf(error)))
    return diagnosis
  }
}
