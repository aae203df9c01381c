import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import { type PetRow, petOf } from '../rows.ts'
import type { Added, Addition } from '../store.ts'
import type { Connections } from './connection/connections.ts'
import { takeIds } from './counter.ts'

/**
 * One statement, one commit and one round trip for a whole batch. The counter's row stays locked until the commit, so
 * on every instance animals become visible in the order of their identifiers. A row of `idempotency` that another
 * instance has just committed is outside this statement's snapshot, but ON CONFLICT still finds it and returns the
 * answer it holds. If the counter comes back without its last steps, it is raised above what this instance has seen, so
 * no identifier is given to a second animal.
 */
const ADD_PETS = {
  name: 'add-pets',
  writes: true,
  text: `
    WITH input AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
        WITH ORDINALITY AS t (name, category_id, status, key_id, key, place)
    ), taken AS (${takeIds('cardinality($1::text[])', '$7::bigint')}
    ), counter AS (
      SELECT base, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM taken
    ), numbered AS (
      SELECT input.*, base + place AS id, now FROM input CROSS JOIN counter
    ), remembered AS (
      INSERT INTO idempotency AS old (key_id, key, pet_id, name, category_id, status, created_at)
      SELECT key_id, key, id, name, category_id, status, now FROM numbered WHERE key IS NOT NULL
      ON CONFLICT (key_id, key) DO UPDATE SET
        pet_id = CASE WHEN old.created_at > excluded.created_at - $6::bigint THEN old.pet_id ELSE excluded.pet_id END,
        name = CASE WHEN old.created_at > excluded.created_at - $6::bigint THEN old.name ELSE excluded.name END,
        category_id = CASE WHEN old.created_at > excluded.created_at - $6::bigint THEN old.category_id ELSE excluded.category_id END,
        status = CASE WHEN old.created_at > excluded.created_at - $6::bigint THEN old.status ELSE excluded.status END,
        created_at = CASE WHEN old.created_at > excluded.created_at - $6::bigint THEN old.created_at ELSE excluded.created_at END
      RETURNING key_id, key, pet_id, name, category_id, status
    ), answers AS (
      SELECT place, id, coalesce(r.pet_id, id) AS pet_id, coalesce(r.name, n.name) AS name,
        coalesce(r.category_id, n.category_id) AS category_id, coalesce(r.status, n.status) AS status
      FROM numbered n LEFT JOIN remembered r ON r.key_id = n.key_id AND r.key = n.key
    ), added AS (
      INSERT INTO pets (id, name, category_id, status)
      SELECT id, name, category_id, status FROM answers WHERE pet_id = id
    )
    SELECT pet_id AS id, name, category_id, status, pet_id <> id AS replayed FROM answers ORDER BY place`,
} as const

interface AnswerRow extends PetRow {
  replayed: boolean
}

export async function addPets(
  connections: Connections,
  batch: readonly Addition[],
  highestSeen: bigint,
): Promise<Added[]> {
  const rows = await connections.query<AnswerRow>({
    ...ADD_PETS,
    values: [
      batch.map(({ pet }) => pet.name),
      batch.map(({ pet }) => String(pet.categoryId)),
      batch.map(({ pet }) => pet.status),
      batch.map(({ idempotency }) => idempotency?.keyId ?? null),
      batch.map(({ idempotency }) => idempotency?.key ?? null),
      IDEMPOTENCY_LIFETIME_MS,
      highestSeen,
    ],
  })
  // The counter has no row, or someone lowered it by hand during the statement.
  if (rows.length !== batch.length) throw new Error('The counter gave out no identifiers.')
  return rows.map(row => ({ pet: petOf(row), replayed: row.replayed }))
}
