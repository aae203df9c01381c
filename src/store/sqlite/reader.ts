import type { Database } from 'bun:sqlite'
import type { Pet, PetStatus } from '../../contract/pet.ts'
import type { KeyRecord, Page, PageQuery } from '../store.ts'
import { reading } from './failures.ts'

interface PetRow {
  id: bigint
  name: string
  category_id: bigint
  status: PetStatus
}

interface KeyRow {
  id: string
  name: string
  hint: string
  created_at: bigint
  expires_at: bigint | null
  revoked_at: bigint | null
  last_used_at: bigint | null
}

const PET = 'id, name, category_id, status'
const KEY = 'id, name, hint, created_at, expires_at, revoked_at, last_used_at'

/** All reads, on a connection of their own: in WAL mode they never wait for a write. */
export function sqliteReader(database: Database) {
  const page = database.query<PetRow, [bigint, number]>(
    `SELECT ${PET} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const pageOfStatus = database.query<PetRow, [PetStatus, bigint, number]>(
    `SELECT ${PET} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const byId = database.query<PetRow, [bigint]>(`SELECT ${PET} FROM pets WHERE id = ?`)
  const key = database.query<KeyRow, [string]>(`SELECT ${KEY} FROM api_keys WHERE hash = ?`)
  const allKeys = database.query<KeyRow, []>(`SELECT ${KEY} FROM api_keys ORDER BY created_at, id`)

  return {
    listPets: ({ after, limit, status }: PageQuery): Page =>
      reading(() => {
        // One more than asked for tells whether another page follows.
        const rows =
          status === undefined ? page.all(after, limit + 1) : pageOfStatus.all(status, after, limit + 1)
        return { pets: rows.slice(0, limit).map(petOf), more: rows.length > limit }
      }),
    findPet: (id: bigint): Pet | undefined =>
      reading(() => {
        const row = byId.get(id)
        return row === null ? undefined : petOf(row)
      }),
    findKey: (hash: string): KeyRecord | undefined =>
      reading(() => {
        const row = key.get(hash)
        return row === null ? undefined : keyOf(row)
      }),
    listKeys: (): KeyRecord[] => reading(() => allKeys.all().map(keyOf)),
  }
}

const petOf = (row: PetRow): Pet => ({
  id: row.id,
  name: row.name,
  categoryId: row.category_id,
  status: row.status,
})

const keyOf = (row: KeyRow): KeyRecord => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdAt: new Date(Number(row.created_at)),
  expiresAt: dateOf(row.expires_at),
  revokedAt: dateOf(row.revoked_at),
  lastUsedAt: dateOf(row.last_used_at),
})

const dateOf = (value: bigint | null): Date | undefined =>
  value === null ? undefined : new Date(Number(value))
