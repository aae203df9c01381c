import pg from 'pg'

/** A bare Bun.serve that runs the service's own queries for each request, sends the rows and does nothing else. */
const { PORT: port = '', DATABASE_URL: connectionString = '' } = process.env
const COLUMNS = 'id, name, category_id, status'
const CONNECTIONS = 10
const pool = new pg.Pool({ connectionString, max: CONNECTIONS })

async function send(query: pg.QueryConfig, status = 200): Promise<Response> {
  const { rows } = await pool.query(query)
  return Response.json(rows, { status })
}

Bun.serve({
  hostname: '127.0.0.1',
  port,
  routes: {
    '/readyz': () => new Response('ok'),
    '/page/:after': ({ params }) =>
      send({
        name: 'page',
        text: `SELECT ${COLUMNS} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`,
        values: [params.after, 21],
      }),
    '/pet/:id': ({ params }) =>
      send({ name: 'pet', text: `SELECT ${COLUMNS} FROM pets WHERE id = $1`, values: [params.id] }),
    '/pets': async request => {
      const { name, categoryId, status } = (await request.json()) as Record<string, unknown>
      const text = `INSERT INTO floor_pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`
      return send({ name: 'add', text, values: [name, categoryId, status] }, 201)
    },
  },
})
