import { timingSafeEqual } from 'node:crypto'

export const PET_NOT_FOUND = { code: 'pet_not_found', message: 'No such animal.', status: 404 }
export const STATUSES = ['available', 'pending', 'sold']

const expected = Buffer.from(process.env.PETSTORE_SERVER_API_KEY)

export function isKey(sent) {
  const given = Buffer.from(sent)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const COLUMNS = 'id, name, category_id AS categoryId, status'

/** The same table, index and durability as the other contestants have. Both drivers name what is used here alike. */
export function openPets(Database) {
  const database = new Database(process.env.DATABASE_FILE)
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
    list({ limit, status, cursor }) {
      // One extra row shows whether another page follows.
      const rows = status === undefined ? all.all(cursor, limit + 1) : byStatus.all(status, cursor, limit + 1)
      if (rows.length <= limit) return { pets: rows }
      rows.pop()
      return { pets: rows, link: nextLink(limit, status, rows[limit - 1].id) }
    },

    get: id => byId.get(id) ?? undefined,

    create: ({ name, categoryId, status = 'available' }) => insert.get(name, categoryId, status),
  }
}

function nextLink(limit, status, cursor) {
  const query = new URLSearchParams({ limit, ...(status && { status }), cursor })
  return `</v1/pets?${query}>; rel="next"`
}
