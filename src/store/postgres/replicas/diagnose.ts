import type pg from 'pg'
import type { PostgresDatabase } from '../../database.ts'
import { advice, type Finding, fail, ok } from '../../diagnosis.ts'
import { cursorSecretIn } from '../connection/identify.ts'
import { hostOf } from '../connection/pool.ts'
import { withDedicated } from '../transfer/dedicated-client.ts'

const DEADLINE_MS = 5000
const INSTEAD = 'The primary is read instead'

/** Whether pages can be read on the standbys. The service does not need them, so only a wrong one is a fault. */
export async function replicaFindings(
  replicas: PostgresDatabase,
  primary: pg.ClientBase,
): Promise<Finding[]> {
  const cursorSecret = await cursorSecretIn(primary)
  const { rows } = await primary.query<{ may: boolean }>(
    "SELECT has_table_privilege('meta', 'INSERT') AND has_table_privilege('meta', 'UPDATE') AS may",
  )
  const rights = rows[0]?.may
    ? []
    : [advice('replicas', `${INSTEAD}. Let the owner of the tables run: GRANT INSERT, UPDATE ON meta TO …`)]
  const found = await Promise.all(
    replicas.urls.map(url => examine({ ...replicas, urls: [url] }, cursorSecret)),
  )
  return [...rights, ...found]
}

async function examine(replica: PostgresDatabase, cursorSecret: string): Promise<Finding> {
  const host = hostOf(replica.urls[0] as string)
  try {
    return await withDedicated(replica, { durable: false, deadlineMs: DEADLINE_MS }, async client => {
      const { rows } = await client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby')
      if ((await cursorSecretIn(client)) !== cursorSecret)
        return fail('replica', `${host} belongs to another database. Check PETSTORE_REPLICA_URL`)
      if (!rows[0]?.is_standby)
        return advice('replica', `${host} is not a standby. ${INSTEAD}, unless this host is demoted`)
      return ok('replica', `${host} is a standby of this database`)
    })
  } catch (error) {
    const { message, cause } = error as Error
    return advice('replica', `${host}: ${cause instanceof Error ? cause.message : message}. ${INSTEAD}`)
  }
}
