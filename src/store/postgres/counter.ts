/**
 * Takes identifiers behind the last one, and holds the counter's row until the commit. Each change leaves a dead version of the row,
 * which any long transaction on the server keeps, so the row is found by the index of its value: only what was committed since this
 * statement began lies behind the one it sees. The row that it then waits for has a higher value, and meets the condition too.
 */
export const takeIds = (count: string, atLeast = 'last_id'): string => `
  UPDATE pet_counter SET last_id = greatest(last_id, ${atLeast}) + ${count}
  WHERE last_id >= (SELECT max(last_id) FROM pet_counter)
  RETURNING last_id - ${count} AS base, last_id`
