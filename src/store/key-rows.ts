import type { KeyRecord } from './store.ts'

/** Engines return an int64 as a bigint or as decimal text: both are exact. */
type Int64Value = bigint | string

export interface KeyRow {
  id: string
  name: string
  hint: string
  created_at: Int64Value
  expires_at: Int64Value | null
  revoked_at: Int64Value | null
  last_used_at: Int64Value | null
  deprecated_calls: Int64Value
  deprecated_call_at: Int64Value | null
}

export const KEY_COLUMNS =
  'id, name, hint, created_at, expires_at, revoked_at, last_used_at, deprecated_calls, deprecated_call_at'

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
