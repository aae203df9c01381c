import type { KeyRecord } from './store.ts'

/** Engines return an int64 as a bigint or as decimal text; both are exact. */
type Int64Value = bigint | string

export type KeyRow = Record<'id' | 'name' | 'hint' | 'hash', string> &
  Record<'created_at' | 'deprecated_calls', Int64Value> &
  Record<'expires_at' | 'revoked_at' | 'last_used_at' | 'deprecated_call_at', Int64Value | null>

export const SELECT_KEYS =
  'SELECT id, name, hint, hash, created_at, expires_at, revoked_at, last_used_at, deprecated_calls, deprecated_call_at FROM api_keys'

export const keyOf = (row: KeyRow): KeyRecord => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdAt: new Date(Number(row.created_at)),
  expiresAt: dateOf(row.expires_at),
  revokedAt: dateOf(row.revoked_at),
  lastUsedAt: dateOf(row.last_used_at),
  deprecatedCalls: Number(row.deprecated_calls),
  deprecatedCallAt: dateOf(row.deprecated_call_at),
})

const dateOf = (value: Int64Value | null): Date | undefined =>
  value === null ? undefined : new Date(Number(value))
