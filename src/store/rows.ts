import type { Pet, PetStatus } from '../contract/pet.ts'
import type { DeprecatedCalls, KeyRecord } from './store.ts'
import type { RememberedRequest, StoredKey } from './transfer.ts'

/** Engines return an int64 as a bigint or as decimal text: both are exact. */
type Int64Value = bigint | string

export interface PetRow {
  id: Int64Value
  name: string
  category_id: Int64Value
  status: PetStatus
}

export interface KeyRow {
  id: string
  name: string
  hint: string
  created_at: Int64Value
  expires_at: Int64Value | null
  revoked_at: Int64Value | null
  last_used_at: Int64Value | null
}

export interface DeprecatedRow {
  key_id: string
  operation: string
  calls: Int64Value
  last_at: Int64Value
}

/** Includes the animal that the request added. */
export interface RequestRow extends PetRow {
  key_id: string
  key: string
  created_at: Int64Value
}

export type StoredKeyRow = KeyRow & { hash: string }

export const PET_COLUMNS = 'id, name, category_id, status'
export const KEY_COLUMNS = 'id, name, hint, created_at, expires_at, revoked_at, last_used_at'
export const DEPRECATED_COLUMNS = 'key_id, operation, calls, last_at'

export const petOf = (row: PetRow): Pet => ({
  id: BigInt(row.id),
  name: row.name,
  categoryId: BigInt(row.category_id),
  status: row.status,
})

export const keyOf = (row: KeyRow): KeyRecord => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdAt: new Date(Number(row.created_at)),
  expiresAt: dateOf(row.expires_at),
  revokedAt: dateOf(row.revoked_at),
  lastUsedAt: dateOf(row.last_used_at),
})

export const storedKeyOf = (row: StoredKeyRow): StoredKey => ({ ...keyOf(row), hash: row.hash })

export const rememberedOf = (row: RequestRow): RememberedRequest => ({
  keyId: row.key_id,
  key: row.key,
  pet: petOf(row),
  createdAt: new Date(Number(row.created_at)),
})

export const deprecatedOf = (row: DeprecatedRow): DeprecatedCalls => ({
  keyId: row.key_id,
  operation: row.operation,
  calls: Number(row.calls),
  lastAt: new Date(Number(row.last_at)),
})

const dateOf = (value: Int64Value | null): Date | undefined =>
  value === null ? undefined : new Date(Number(value))
