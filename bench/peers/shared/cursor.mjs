/** @param {number} id */
function encodeCursor(id) {
  return Buffer.from(String(id)).toString('base64url')
}

/**
 * @param {string | undefined} cursor
 * @returns {number | undefined} the id to continue after, undefined when the cursor is not ours
 */
export function decodeCursor(cursor) {
  if (cursor === undefined) return 0
  const id = Number(Buffer.from(cursor, 'base64url').toString())
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/**
 * @param {{ limit: number, status?: string | undefined }} query
 * @param {{ id: number }[]} pets
 */
export function nextLink({ limit, status }, pets) {
  const query = new URLSearchParams({ limit: String(limit) })
  if (status !== undefined) query.set('status', status)
  query.set('cursor', encodeCursor(pets[pets.length - 1]?.id ?? 0))
  return `</v1/pets?${query}>; rel="next"`
}
