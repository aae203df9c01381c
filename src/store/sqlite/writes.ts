import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import { NEW_PET_FIELDS, PET_FIELDS, type PetRow } from '../../contract/pet.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'

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

/** A new animal's values as text, which JSON keeps exactly, also for an int64. */
export type NewRow = readonly string[]
/** A new animal with an idempotency key. */
export type KeyedRow = readonly [keyId: string, key: string, values: NewRow]

/** The result of `addPets`, as JSON. */
export interface BatchOutcome {
  /** Identifier of the first animal without an idempotency key; the others follow consecutively. */
  readonly firstId: string
  /** For each animal with an idempotency key its identifier, or the animal that an earlier request with that key added. */
  readonly keyed: readonly (string | PetRow)[]
}

const inserted = (value: (index: number) => string): string =>
  NEW_PET_FIELDS.map(({ kind }, index) =>
    kind === 'int64' ? `CAST(${value(index)} AS INTEGER)` : value(index),
  ).join()
const INSERT = `INSERT INTO pets (${NEW_PET_FIELDS.map(({ column }) => column)})`
const ROW_AS_TEXT = PET_FIELDS.map(({ column }) => `CAST(pets.${column} AS TEXT) AS ${column}`).join(', ')
const EXPIRED_PER_KEY = 2

/** Returns a function that writes, synchronously, so that no transaction spans turns of the event loop. */
export function writesOf(database: Database): (write: Write) => Written {
  const insertPet = database.query<never, string[]>(`${INSERT} VALUES (${inserted(() => '?')})`)
  // One statement for a whole JSON array of rows.
  const insertPets = database.query<never, [string]>(
    `${INSERT} SELECT ${inserted(index => `value ->> ${index}`)} FROM json_each(?) ORDER BY key`,
  )
  const remembered = database.query<PetRow, [string, string, bigint]>(
    `SELECT ${ROW_AS_TEXT} FROM idempotency JOIN pets ON pets.id = pet_id
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

  function addKeyed([keyId, key, values]: KeyedRow): string | PetRow {
    const earlier = remembered.get(keyId, key, lifetimeAgo())
    if (earlier !== null) return earlier
    const id = BigInt(insertPet.run(...values).lastInsertRowid)
    remember.run(keyId, key, id, BigInt(Date.now()))
    forgetExpired.run(lifetimeAgo(), EXPIRED_PER_KEY)
    return String(id)
  }

  function addPets(plain: string, keyedRows: string): Written {
    const { changes, lastInsertRowid } = insertPets.run(plain)
    // No other process writes during the transaction, so their identifiers are consecutive.
    const firstId = String(BigInt(lastInsertRowid) - BigInt(changes) + 1n)
    const keyed = (JSON.parse(keyedRows) as KeyedRow[]).map(addKeyed)
    const result = JSON.stringify({ firstId, keyed } satisfies BatchOutcome)
    return { result, animals: changes + keyed.filter(outcome => typeof outcome === 'string').length }
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
