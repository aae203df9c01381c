import { Database } from 'bun:sqlite'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { validator } from 'hono/validator'
import { isKey, openPets, PET_NOT_FOUND, STATUSES } from './pets.mjs'

const isDecimal = text => /^\d{1,15}$/.test(text)
const isStatus = value => value === undefined || STATUSES.includes(value)
const refuse = (c, field) => c.json({ code: 'invalid', message: `${field} is invalid.`, status: 400 }, 400)

const listQuery = validator('query', ({ limit = '20', status, cursor = '0' }, c) => {
  if (!isDecimal(limit) || Number(limit) < 1 || Number(limit) > 100) return refuse(c, 'limit')
  if (!isStatus(status)) return refuse(c, 'status')
  if (!isDecimal(cursor)) return refuse(c, 'cursor')
  return { limit: Number(limit), status, cursor: Number(cursor) }
})

const newPet = validator('json', ({ name, categoryId, status }, c) => {
  if (typeof name !== 'string' || name.length < 1 || name.length > 255) return refuse(c, 'name')
  if (!Number.isInteger(categoryId)) return refuse(c, 'categoryId')
  if (!isStatus(status)) return refuse(c, 'status')
  return { name, categoryId, status }
})

const onePet = validator('param', ({ petId }, c) =>
  isDecimal(petId) ? { petId: Number(petId) } : refuse(c, 'petId'),
)

const pets = openPets(Database)
const app = new Hono()

app.use('/v1/*', bearerAuth({ verifyToken: isKey }))

app.get('/v1/pets', listQuery, c => {
  const page = pets.list(c.req.valid('query'))
  if (page.link) c.header('Link', page.link)
  return c.json(page.pets)
})

app.post('/v1/pets', newPet, c => {
  const created = pets.create(c.req.valid('json'))
  c.header('Location', `/v1/pets/${created.id}`)
  return c.json(created, 201)
})

app.get('/v1/pets/:petId', onePet, c => {
  const found = pets.get(c.req.valid('param').petId)
  return found ? c.json(found) : c.json(PET_NOT_FOUND, 404)
})

export default { hostname: '127.0.0.1', port: Number(process.env.PORT), fetch: app.fetch }
