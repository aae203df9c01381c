import type pg from 'pg'
import type { Pet } from '../../../contract/pet.ts'
import type { DeprecatedCalls } from '../../store.ts'
import type { RememberedRequest, StoredKey } from '../../transfer.ts'

/** One statement per batch: each column is sent as one array. */
export async function insertPets(client: pg.ClientBase, pets: readonly Pet[]): Promise<void> {
  await client.query(
    `INSERT INTO pets (id, name, category_id, status)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])`,
    [
      pets.map(pet => pet.id),
      pets.map(pet => pet.name),
      pets.map(pet => pet.categoryId),
      pets.map(pet => pet.status),
    ],
  )
}

export async function insertKeys(client: pg.ClientBase, keys: readonly StoredKey[]): Promise<void> {
  await client.query(
    `INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at, revoked_at, last_used_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])`,
    [
      keys.map(key => key.id),
      keys.map(key => key.name),
      keys.map(key => key.hint),
      keys.map(key => key.hash),
      keys.map(key => timeOf(key.createdAt)),
      keys.map(key => timeOf(key.expiresAt)),
      keys.map(key => timeOf(key.revokedAt)),
      keys.map(key => timeOf(key.lastUsedAt)),
    ],
  )
}

export async function insertRequests(
  client: pg.ClientBase,
  requests: readonly RememberedRequest[],
): Promise<void> {
  await client.query(
    `INSERT INTO idempotency (key_id, key, pet_id, name, category_id, status, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])`,
    [
      requests.map(request => request.keyId),
      requests.map(request => request.key),
      requests.map(request => request.pet.id),
      requests.map(request => request.pet.name),
      requests.map(request => request.pet.categoryId),
      requests.map(request => request.pet.status),
      requests.map(request => timeOf(request.createdAt)),
    ],
  )
}

export async function insertDeprecatedCalls(
  client: pg.ClientBase,
  all: readonly DeprecatedCalls[],
): Promise<void> {
  await client.query(
    `INSERT INTO deprecated_calls (key_id, operation, calls, last_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])`,
    [
      all.map(({ keyId }) => keyId),
      all.map(({ operation }) => operation),
      all.map(({ calls }) => calls),
      all.map(({ lastAt }) => timeOf(lastAt)),
    ],
  )
}

const timeOf = (date: Date | undefined): number | null => date?.getTime() ?? null
