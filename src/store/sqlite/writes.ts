import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Pet } from '../../contract/pet.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'
import * as rows from './pet-rows.ts'

const EXPIRED_PER_KEY = 2

/** The arguments are plain values where it matters, because the runtime passes those between threads without traversing them. */
export type Write =
  | readonly ['addPets', plain: string, keyed: string]
  | readonly ['addKey', key: NewKeyRecord]
  | readonly ['revokeKey', id: string, at: Date]
  | readonly ['recordKeyUses', uses: readonly KeyUse[]]

export interface Written {
  readonly result?: string | boolean
  /** The number of animals that it added. */
  readonly animals?: number
}

/** Returns a function that writes, synchronously, so that no transaction spans turns of the event loop. */
export function writesOf(database: Database): (write: Write) => Written {
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

  function addPets(plain: string, keyed: string): Written {
    const { changes, lastInsertRowid } = insertPets.run(plain)
    // No other process writes during the transaction, so their identifiers are consecutive.
    const firstId = String(BigInt(lastInsertRowid) - BigInt(changes) + 1n)
    const outcomes = (JSON.parse(keyed) as rows.KeyedRow[]).map(addKeyed)
    const result = JSON.stringify({ firstId, keyed: outcomes } satisfies rows.BatchOutcome)
    const replays = outcomes.filter(([, earlier]) => earlier !== undefined).length
    return { result, animals: changes + outcomes.length - replays }
  }

  function addKey({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): Written {
    const expiry = expiresAt === undefined ? null : millis(expiresAt)
    insertKey.run(id, name, hint, hash, millis(createdAt), expiry)
    return {}
  }

  function recordKeyUses(uses: readonly KeyUse[]): Written {
    for (const { id, at, deprecatedCalls } of uses)
      recordUse.run({ id, at: millis(at), now: BigInt(Date.now()), calls: BigInt(deprecatedCalls) })
    return {}
  }

  return write => {
    if (write[0] === 'addPets') return addPets(write[1], write[2])
    if (write[0] === 'addKey') return addKey(write[1])
    if (write[0] === 'recordKeyUses') return recordKeyUses(write[1])
    return { result: revoke.run(millis(write[2]), write[1]).changes > 0 }
  }
}

const millis = (date: Date): bigint => BigInt(date.getTime())
const lifetimeAgo = (): bigint => BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)
