import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Expired } from '../housekeeping/forgetting.ts'
import type { Connections } from './connection/connections.ts'

const EXPIRED = 'created_at <= (extract(epoch FROM now()) * 1000)::bigint - $1::bigint'

const COUNT = {
  name: 'count-expired-keys',
  text: `SELECT count(*) AS expired FROM (SELECT FROM idempotency WHERE ${EXPIRED} LIMIT $2) AS expired_keys`,
} as const

/** Instances that run this concurrently take different rows, and none waits for a row that is being written. */
const FORGET = {
  name: 'forget-expired-keys',
  text: `WITH forgotten AS (
           DELETE FROM idempotency WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM idempotency WHERE ${EXPIRED} ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
           RETURNING 1)
         SELECT count(*) AS forgotten FROM forgotten`,
} as const

/** Idempotency keys that have expired by the server's clock. */
export function expiredPostgresKeys(connections: Connections): Expired {
  return {
    count: async atMost => {
      const rows = await connections.query<{ expired: string }>({
        ...COUNT,
        values: [IDEMPOTENCY_LIFETIME_MS, atMost],
      })
      return Number(rows[0]?.expired)
    },
    forget: async atMost => {
      const started = performance.now()
      const rows = await connections.query<{ forgotten: string }>({
        ...FORGET,
        values: [IDEMPOTENCY_LIFETIME_MS, atMost],
      })
      return { forgotten: Number(rows[0]?.forgotten), workMs: performance.now() - started }
    },
  }
}
