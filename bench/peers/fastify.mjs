import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { isKey, openPets, PET_NOT_FOUND, STATUSES } from './pets.mjs'

const status = { type: 'string', enum: STATUSES }
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
const petId = { type: 'object', properties: { petId: { type: 'integer' } } }

const pets = openPets(Database)
const app = Fastify({ logger: false })

app.addHook('onRequest', async (request, reply) => {
  const [scheme, key = ''] = request.headers.authorization?.split(' ') ?? []
  if (scheme !== 'Bearer' || !isKey(key)) return reply.code(401).header('www-authenticate', 'Bearer').send()
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

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
