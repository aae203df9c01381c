import { timingSafeEqual } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify from 'fastify'

const INVALID_KEY = { code: 'invalid_api_key', message: 'Missing or invalid API key.', status: 401 }
const PET_NOT_FOUND = { code: 'pet_not_found', message: 'No such animal.', status: 404 }
const { PORT, PETSTORE_SERVER_API_KEY, DATABASE_FILE } = process.env
const expected = Buffer.from(`Bearer ${PETSTORE_SERVER_API_KEY}`)

function hasKey(authorization) {
  const given = Buffer.from(authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const COLUMNS = 'id, name, category_id AS categoryId, status'

/** The same table, index and durability as the other contestants. */
function openPets() {
  const database = new Database(DATABASE_FILE)
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

const status = { type: 'string', enum: ['available', 'pending', 'sold'] }
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255 },
    categoryId: { type: 'integer' },
    status,
  },
}
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId', 'status'],
  properties: { id: { type: 'integer' }, ...newPet.properties },
}
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    cursor: { type: 'integer', minimum: 0, default: 0 },
  },
}
const petId = { type: 'object', required: ['petId'], properties: { petId: { type: 'integer' } } }

const pets = openPets()
const app = Fastify({ logger: false })

app.addHook('onRequest', async (request, reply) => {
  if (hasKey(request.headers.authorization)) return
  return reply.code(401).header('www-authenticate', 'Bearer realm="petstore"').send(INVALID_KEY)
})

app.get(
  '/v1/pets',
  { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } } },
  (request, reply) => {
    const page = pets.list(request.query)
    if (page.link) reply.header('link', page.link)
    return reply.send(page.pets)
  },
)

app.post('/v1/pets', { schema: { body: newPet, response: { 201: pet } } }, (request, reply) => {
  const created = pets.create(request.body)
  return reply.code(201).header('location', `/v1/pets/${created.id}`).send(created)
})

app.get('/v1/pets/:petId', { schema: { params: petId, response: { 200: pet } } }, (request, reply) => {
  const found = pets.get(request.params.petId)
  return found ? reply.send(found) : reply.code(404).send(PET_NOT_FOUND)
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
