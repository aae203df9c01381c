import type { Pet, PetStatus } from '../contract/pet.ts'
import type { KeyRecord } from './store.ts'

/** Engines return an int64 as a bigint or as decimal text: both are exact. */
type Int64Value = bigint | string

type Kind = 'int64' | 'text'

/** The fields of an animal and their columns. Every statement is made from this list. */
export const PET_FIELDS = [
  { name: 'id', column: 'id', kind: 'int64' },
  { name: 'name', column: 'name', kind: 'text' },
  { name: 'categoryId', column: 'category_id', kind: 'int64' },
  { name: 'status', column: 'status', kind: 'text' },
] as const satisfies readonly { readonly name: keyof Pet; readonly column: string; readonly kind: Kind }[]

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
  deprecated_calls: Int64Value
  deprecated_call_at: Int64Value | null
}

export const PET_COLUMNS = PET_FIELDS.map(({ column }) => column).join(', ')
/** Rows that are animals already, where the engine returns an int64 as a bigint. */
export const PET_AS_OBJECT = PET_FIELDS.map(({ name, column }) => `pets.${column} AS "${name}"`).join(', ')
export const KEY_COLUMNS =
  'id, name, hint, created_at, expires_at, revoked_at, last_used_at, deprecated_calls, deprecated_call_at'

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
  deprecatedCalls: Number(row.deprecated_calls),
  deprecatedCallAt: dateOf(row.deprecated_call_at),
})

const dateOf = (value: Int64Value | null): Date | undefined =>
  value === null ? undefined : new Date(Number(value))
