import type pg from 'pg'
import { OperatorError } from '../../operator-error.ts'

/**
 * Assigns the next identifiers and locks the counter's row until the commit. Each change leaves a dead version of the
 * row, which any long transaction on the server keeps. The index on the value finds the newest version; only versions
 * committed since this statement began come after it. The row it then waits for has a higher value, so it satisfies the
 * condition too.
 */
export const takeIds = (count: string, atLeast = 'last_id'): string => `
  UPDATE pet_counter SET last_id = greatest(last_id, ${atLeast}) + ${count}
  WHERE last_id >= (SELECT max(last_id) FROM pet_counter)
  RETURNING last_id - ${count} AS base, last_id`

/** Leaves one row: the highest, and none below an existing animal. */
const REPAIR =
  'WITH old AS (DELETE FROM pet_counter RETURNING last_id) INSERT INTO pet_counter (last_id) ' +
  'SELECT greatest(max(last_id), (SELECT max(id) FROM pets), 0) FROM old'

/** A restore of data alone can add a row or leave none. No key prevents it: see migration 6. */
export async function assertOneCounter(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: string }>('SELECT count(*) AS count FROM pet_counter')
  const count = rows[0]?.count
  if (count !== '1')
    throw new OperatorError(
      `The table pet_counter has ${count} rows instead of one, as after a restore of data alone. Let its owner run: ${REPAIR}.`,
    )
}
