import { timingSafeEqual } from 'node:crypto'

/**
 * What the peers on JavaScript have in common.
 * @typedef {{ code: string, message: string, status: number }} ErrorBody
 * @typedef {{ id: number, name: string, categoryId: number, status: string }} Pet
 * @typedef {{ name: string, categoryId: number, status?: string | undefined }} NewPet
 * @typedef {{ limit: number, status?: string | undefined, cursor?: string | undefined }} ListQuery
 * @typedef {{ all: (...values: (string | number)[]) => unknown[], get: (...values: (string | number)[]) => unknown }} Statement
 * @typedef {{ exec: (sql: string) => unknown, prepare: (sql: string) => Statement }} Database
 */

export const ERRORS = {
  invalidKey: { code: 'invalid_api_key', message: 'Missing or invalid API key.', status: 401 },
  petNotFound: { code: 'pet_not_found', message: 'No such animal.', status: 404 },
  routeNotFound: { code: 'route_not_found', message: 'No such path.', status: 404 },
  invalidCursor: { code: 'invalid_query', message: 'cursor is not one of ours.', status: 400 },
  internal: { code: 'internal_error', message: 'Something went wrong.', status: 500 },
}

/** @returns {ErrorBody} */
export const invalid = (/** @type {string} */ message) => ({ code: 'invalid_request', message, status: 400 })

const { PORT, PETSTORE_API_KEY, DATABASE_FILE = '' } = process.env
export const port = Number(PORT)
export const file = DATABASE_FILE

const expected = Buffer.from(`Bearer ${PETSTORE_API_KEY}`)

/** @param {string | null | undefined} authorization */
export function hasKey(authorization) {
  const given = Buffer.from(authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const COLUMNS = 'id, name, category_id AS categoryId, status'

/**
 * The same table, index and durability for every peer with SQLite; bun:sqlite and better-sqlite3 both fit.
 * @param {Database} database
 */
export function openPets(database) {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS pets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      category_id INTEGER NOT NULL,
      status TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);
  `)
  const all = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`)
  const byStatus = database.prepare(
    `SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const byId = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id = ?`)
  const insert = database.prepare(
    `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
  )

  return {
    /** A page and the link to the next one; undefined when the cursor is not ours. */
    list(/** @type {ListQuery} */ { limit, status, cursor }) {
      const after = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
      if (!Number.isSafeInteger(after)) return undefined
      // One extra row shows whether another page follows.
      const rows = /** @type {Pet[]} */ (
        status === undefined ? all.all(after, limit + 1) : byStatus.all(status, after, limit + 1)
      )
      if (rows.length <= limit) return { pets: rows }
      rows.pop()
      return { pets: rows, link: nextLink(limit, status, rows[limit - 1]?.id) }
    },

    get: (/** @type {number} */ id) => /** @type {Pet | undefined} */ (byId.get(id) ?? undefined),

    create: (/** @type {NewPet} */ { name, categoryId, status = 'available' }) =>
      /** @type {Pet} */ (insert.get(name, categoryId, status)),
  }
}

/**
 * @param {number} limit
 * @param {string | undefined} status
 * @param {number | undefined} last
 */
function nextLink(limit, status, last) {
  const query = new URLSearchParams({ limit: String(limit) })
  if (status !== undefined) query.set('status', status)
  query.set('cursor', Buffer.from(String(last)).toString('base64url'))
  return `</v1/pets?${query}>; rel="next"`
}
