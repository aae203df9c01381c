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
