/**
 * @typedef {{ id: number, name: string, categoryId: number, status: string }} Pet
 * @typedef {{ all: (...values: (string | number)[]) => unknown[], get: (...values: (string | number)[]) => unknown }} Statement
 * @typedef {{ exec: (sql: string) => unknown, prepare: (sql: string) => Statement }} Database
 */

const COLUMNS = 'id, name, category_id AS categoryId, status'

/**
 * The same table, indexes and durability for every peer with SQLite; bun:sqlite and better-sqlite3 both fit.
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
    /**
     * @param {{ limit: number, status?: string | undefined, after: number }} query
     * @returns {{ pets: Pet[], hasMore: boolean }}
     */
    list({ limit, status, after }) {
      // One extra row shows whether another page follows.
      const rows = /** @type {Pet[]} */ (
        status === undefined ? all.all(after, limit + 1) : byStatus.all(status, after, limit + 1)
      )
      const hasMore = rows.length > limit
      if (hasMore) rows.pop()
      return { pets: rows, hasMore }
    },

    /** @returns {Pet | undefined} */
    get(/** @type {number} */ id) {
      return /** @type {Pet | undefined} */ (byId.get(id) ?? undefined)
    },

    /** @returns {Pet} */
    create(/** @type {{ name: string, categoryId: number, status?: string | undefined }} */ pet) {
      return /** @type {Pet} */ (insert.get(pet.name, pet.categoryId, pet.status ?? 'available'))
    },
  }
}
