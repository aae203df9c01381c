import type { Database } from 'bun:sqlite'
import type { PetStatus } from '../../contract/pet.ts'
import { type PetRow, petOf } from '../rows.ts'
import {
  type Added,
  type Addition,
  IDEMPOTENCY_LIFETIME_MS,
  type KeyUse,
  type NewKeyRecord,
} from '../store.ts'

export type SqliteWriter = ReturnType<typeof sqliteWriter>

/** All writes, one transaction each. Synchronous, so that no transaction spans a turn of the event loop. */
export function sqliteWriter(database: Database) {
  const insertPet = database.query<{ id: bigint }, [string, bigint, PetStatus]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING id',
  )
  const remembered = database.query<PetRow, [string, string, bigint]>(
    `SELECT pets.id, name, category_id, status FROM idempotency JOIN pets ON pets.id = pet_id
     WHERE key_id = ? AND key = ? AND created_at > ?`,
  )
  const remember = database.query<never, [string, string, bigint, bigint]>(
    'INSERT OR REPLACE INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const forget = database.query<never, [bigint]>('DELETE FROM idempotency WHERE created_at <= ?')
  const insertKey = database.query<never, [string, string, string, string, bigint, bigint | null]>(
    'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const revoke = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const recordUse = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  )

  function addPet({ pet, idempotency }: Addition): Added {
    const now = Date.now()
    if (idempotency !== undefined) {
      const { keyId, key } = idempotency
      const row = remembered.get(keyId, key, BigInt(now - IDEMPOTENCY_LIFETIME_MS))
      if (row !== null) return { pet: petOf(row), replayed: true }
    }
    const inserted = insertPet.get(pet.name, pet.categoryId, pet.status)
    if (inserted === null) throw new Error('The insert returned no identifier')
    if (idempotency !== undefined) remember.run(idempotency.keyId, idempotency.key, inserted.id, BigInt(now))
    return { pet: { id: inserted.id, ...pet }, replayed: false }
  }

  const addAll = database.transaction((batch: readonly Addition[]) => batch.map(addPet))

  return {
    addPets: (batch: readonly Addition[]): Added[] => addAll.immediate(batch),
    forgetIdempotencyBefore: (time: Date): void => void forget.run(BigInt(time.getTime())),
    addKey: (key: NewKeyRecord): void =>
      void insertKey.run(
        key.id,
        key.name,
        key.hint,
        key.hash,
        BigInt(key.createdAt.getTime()),
        key.expiresAt === undefined ? null : BigInt(key.expiresAt.getTime()),
      ),
    revokeKey: (id: string, at: Date): boolean => revoke.run(BigInt(at.getTime()), id).changes > 0,
    recordKeyUses: database.transaction((uses: readonly KeyUse[]): void => {
      for (const { id, at } of uses) recordUse.run(BigInt(at.getTime()), id)
    }),
  }
}
