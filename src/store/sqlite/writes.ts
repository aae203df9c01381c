import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Pet } from '../../contract/pet.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'
import * as rows from './pet-rows.ts'

const EXPIRED_PER_KEY = 2

/** All writes. They are synchronous, so that no transaction spans turns of the event loop. */
export function writesOf(database: Database) {
  const insertPet = database.query<never, string[]>(rows.INSERT_PET)
  const insertPets = database.query<never, [string]>(rows.INSERT_PETS)
  const remembered = database.query<Pet, [string, string, bigint]>(
    `SELECT ${rows.SELECTED_PET} FROM idempotency JOIN pets ON pets.id = pet_id
     WHERE key_id = ? AND key = ? AND created_at > ?`,
  )
  const remember = database.query<never, [string, string, bigint, bigint]>(
    'INSERT OR REPLACE INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const forgetExpired = database.query<never, [bigint, number]>(
    `DELETE FROM idempotency WHERE (key_id, key) IN
       (SELECT key_id, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ? + 0)`,
  )
  const insertKey = database.query<never, [string, string, string, string, bigint, bigint | null]>(
    'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const revoke = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  // A time in the future, which a wrong clock recorded, is replaced.
  const recordUse = database.query<never, { at: bigint; now: bigint; calls: bigint; id: string }>(
    `UPDATE api_keys SET deprecated_calls = deprecated_calls + $calls,
       last_used_at = max(iif(last_used_at <= $now, last_used_at, 0), $at),
       deprecated_call_at = iif($calls > 0, max(iif(deprecated_call_at <= $now, deprecated_call_at, 0), $at), deprecated_call_at)
     WHERE id = $id`,
  )

  function addKeyed([keyId, key, values]: rows.KeyedRow): rows.KeyedOutcome {
    const earlier = remembered.get(keyId, key, lifetimeAgo())
    if (earlier !== null) return [String(earlier.id), rows.valuesOf(earlier)]
    const id = BigInt(insertPet.run(...values).lastInsertRowid)
    remember.run(keyId, key, id, BigInt(Date.now()))
    forgetExpired.run(lifetimeAgo(), EXPIRED_PER_KEY)
    return [String(id)]
  }

  return {
    addPets: (_size: number, plainCount: number, plain: string, keyed: string): string => {
      // No other process writes during the transaction, so their identifiers are consecutive.
      const lastId = plainCount === 0 ? 0n : BigInt(insertPets.run(plain).lastInsertRowid)
      const firstId = String(lastId - BigInt(plainCount) + 1n)
      const outcomes = keyed === '' ? [] : (JSON.parse(keyed) as rows.KeyedRow[]).map(addKeyed)
      return JSON.stringify({ firstId, keyed: outcomes } satisfies rows.BatchOutcome)
    },
    addKey: ({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): void => {
      const expiry = expiresAt === undefined ? null : millis(expiresAt)
      insertKey.run(id, name, hint, hash, millis(createdAt), expiry)
    },
    revokeKey: (id: string, at: Date): boolean => revoke.run(millis(at), id).changes > 0,
    recordKeyUses: (uses: readonly KeyUse[]): void => {
      for (const { id, at, deprecatedCalls } of uses)
        recordUse.run({ id, at: millis(at), now: BigInt(Date.now()), calls: BigInt(deprecatedCalls) })
    },
  }
}

const millis = (date: Date): bigint => BigInt(date.getTime())
const lifetimeAgo = (): bigint => BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)
