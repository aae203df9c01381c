import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../../contract/limits.ts'
import type { PetStatus } from '../../../contract/pet.ts'
import type { PetRow } from '../../rows.ts'
import type { DeprecatedCalls, KeyUse, NewKeyRecord } from '../../store.ts'
import type { AdditionOutcome, EncodedBatch, Inserted, KeyedOutcome, KeyedRow } from './additions.ts'
import { expiredSqliteKeys } from './expired-keys.ts'
import type { WriteTransaction } from './write-transactions.ts'

export type SqliteWriter = ReturnType<typeof sqliteWriter>

/** All writes, one transaction each. Synchronous, so that no transaction spans event loop turns. */
export function sqliteWriter(database: Database, transaction: WriteTransaction) {
  const insertPet = database.query<never, [string, string, PetStatus]>(
    'INSERT INTO pets (name, category_id, status) VALUES (?, CAST(? AS INTEGER), ?)',
  )
  const insertPets = database.query<never, [string]>(
    `INSERT INTO pets (name, category_id, status)
     SELECT value ->> 0, CAST(value ->> 1 AS INTEGER), value ->> 2 FROM json_each(?) ORDER BY key`,
  )
  const remembered = database.query<PetRow, [string, string, bigint]>(
    `SELECT pets.id, name, category_id, status FROM idempotency JOIN pets ON pets.id = pet_id
     WHERE key_id = ? AND key = ? AND created_at > ?`,
  )
  const remember = database.query<never, [string, string, bigint, bigint]>(
    'INSERT OR REPLACE INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const insertKey = database.query<never, [string, string, string, string, bigint, bigint | null]>(
    'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const revoke = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const recordUse = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  )
  const countDeprecated = database.query<never, [string, string, bigint, bigint]>(
    `INSERT INTO deprecated_calls (key_id, operation, calls, last_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, last_at = max(last_at, excluded.last_at)`,
  )

  function addKeyed([name, categoryId, status, keyId, key]: KeyedRow): KeyedOutcome {
    const now = Date.now()
    const known = remembered.get(keyId, key, BigInt(now - IDEMPOTENCY_LIFETIME_MS))
    if (known !== null) return [String(known.id), known.name, String(known.category_id), known.status, true]
    const id = BigInt(insertPet.run(name, categoryId, status).lastInsertRowid)
    remember.run(keyId, key, id, BigInt(now))
    return [String(id), name, categoryId, status, false]
  }

  /** When the last statement of a batch had run. What follows is the commit, including its wait for the disk. */
  let commitBegan = 0
  function addPets(plain: string, plainCount: number, keyed: string): Inserted {
    // One statement for all rows: no other process writes in between, so their identifiers are consecutive.
    const lastId = plainCount === 0 ? 0n : BigInt(insertPets.run(plain).lastInsertRowid)
    const inserted = {
      firstId: String(lastId - BigInt(plainCount) + 1n),
      keyed: keyed === '' ? [] : (JSON.parse(keyed) as KeyedRow[]).map(addKeyed),
    }
    commitBegan = performance.now()
    return inserted
  }

  /** Uses one transaction, however many there are. */
  function addAllPets(batches: readonly EncodedBatch[]): string[] {
    const all = transaction(() => batches.map(batch => addPets(...batch)))
    const commitMs = performance.now() - commitBegan
    return all.map(inserted => JSON.stringify({ ...inserted, commitMs } satisfies AdditionOutcome))
  }

  return {
    addPets: (...batch: EncodedBatch): string => addAllPets([batch])[0] as string,
    addAllPets,
    ...expiredSqliteKeys(database, transaction),
    addKey: ({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): void =>
      transaction(
        () =>
          void insertKey.run(id, name, hint, hash, timeOf(createdAt), expiresAt ? timeOf(expiresAt) : null),
      ),
    revokeKey: (id: string, at: Date): boolean => transaction(() => revoke.run(timeOf(at), id).changes > 0),
    recordKeyUses: (uses: readonly KeyUse[]): void =>
      transaction(() => {
        for (const { id, at } of uses) recordUse.run(timeOf(at), id)
      }),
    recordDeprecatedCalls: (all: readonly DeprecatedCalls[]): void =>
      transaction(() => {
        for (const { keyId, operation, calls, lastAt } of all)
          countDeprecated.run(keyId, operation, BigInt(calls), timeOf(lastAt))
      }),
  }
}

const timeOf = (date: Date): bigint => BigInt(date.getTime())
