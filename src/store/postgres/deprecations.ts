import { DEPRECATED_COLUMNS, type DeprecatedRow, deprecatedOf } from '../rows.ts'
import type { DeprecationStore } from '../store.ts'
import type { Connections } from './connection/connections.ts'

/** The counts of all instances add up in one row per key and operation. */
export function postgresDeprecations(connections: Connections): DeprecationStore {
  return {
    record: async calls => {
      await connections.query({
        // Lock rows in a fixed order, so that two instances that count the same keys cannot deadlock.
        text: `INSERT INTO deprecated_calls AS known (key_id, operation, calls, last_at)
               SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS new (key_id, operation, calls, last_at)
               ORDER BY key_id, operation
               ON CONFLICT (key_id, operation) DO UPDATE
               SET calls = known.calls + excluded.calls, last_at = greatest(known.last_at, excluded.last_at)`,
        values: [
          calls.map(({ keyId }) => keyId),
          calls.map(({ operation }) => operation),
          calls.map(({ calls: count }) => count),
          calls.map(({ lastAt }) => lastAt.getTime()),
        ],
      })
    },
    list: async () =>
      (
        await connections.query<DeprecatedRow>({
          text: `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY last_at DESC, key_id`,
        })
      ).map(deprecatedOf),
  }
}
