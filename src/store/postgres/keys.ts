import { batchedLookup } from '../batched-query.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import type { KeyStore } from '../store.ts'
import type { Queries } from './pool.ts'

/** The API keys. A service looks them up on a connection of their own, because strangers can make up keys. */
export function postgresKeys(on: Queries, finding = on): KeyStore {
  return {
    find: batchedLookup(async hashes => {
      const text = `${SELECT_KEYS} WHERE hash = ANY ($1)`
      const { rows } = await finding.query<KeyRow>({ text, values: [hashes] })
      return new Map(rows.map(row => [row.hash, keyOf(row)]))
    }),
    add: async ({ id, name, hint, hash, createdAt, expiresAt }) => {
      await on.query({
        writes: 'in one commit',
        text: `INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
               RETURNING wait_at_commit()`,
        values: [id, name, hint, hash, createdAt.getTime(), expiresAt?.getTime() ?? null],
      })
    },
    list: async () => {
      const { rows } = await on.query<KeyRow>({ text: `${SELECT_KEYS} ORDER BY created_at, id` })
      return rows.map(keyOf)
    },
    revoke: async (id, at) => {
      const { rows } = await on.query({
        writes: 'in one commit',
        text: `UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING wait_at_commit()`,
        values: [at.getTime(), id],
      })
      return rows.length > 0
    },
    recordUses: async uses => {
      await on.query({
        writes: 'in one commit',
        // Locks rows in a fixed order, so that two instances that used the same keys cannot deadlock.
        text: `WITH locked AS (SELECT id FROM api_keys WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
               UPDATE api_keys SET deprecated_calls = deprecated_calls + use.calls,
                 last_used_at = greatest(CASE WHEN last_used_at <= $4 THEN last_used_at END, use.at),
                 deprecated_call_at = CASE WHEN use.calls = 0 THEN deprecated_call_at
                   ELSE greatest(CASE WHEN deprecated_call_at <= $4 THEN deprecated_call_at END, use.at) END
               FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS use (id, at, calls) JOIN locked USING (id)
               WHERE api_keys.id = use.id`,
        values: [
          uses.map(use => use.id),
          uses.map(use => use.at.getTime()),
          uses.map(use => use.deprecatedCalls),
          // A later time was recorded by a clock that was wrong, and is replaced.
          Date.now(),
        ],
      })
    },
  }
}
