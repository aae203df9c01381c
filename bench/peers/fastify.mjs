import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { ERRORS, file, hasKey, invalid, openPets, port } from './shared.mjs'

const pets = openPets(new Database(file))

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
const error = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
}
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    cursor: { type: 'string', minLength: 1 },
  },
}
const petId = { type: 'object', required: ['petId'], properties: { petId: { type: 'integer' } } }

const app = Fastify({ logger: false })

app.addHook('onRequest', async (request, reply) => {
  if (!hasKey(request.headers.authorization)) {
    return reply.code(401).header('www-authenticate', 'Bearer realm="petstore"').send(ERRORS.invalidKey)
  }
})

app.setErrorHandler((failure, _request, reply) => {
  const body = failure.statusCode < 500 ? invalid(failure.message) : ERRORS.internal
  return reply.code(body.status).send(body)
})

app.setNotFoundHandler((_request, reply) => reply.code(404).send(ERRORS.routeNotFound))

app.get(
  '/v1/pets',
  { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet }, '4xx': error } } },
  (request, reply) => {
    const page = pets.list(request.query)
    if (!page) return reply.code(400).send(ERRORS.invalidCursor)
    if (page.link) reply.header('link', page.link)
    return reply.send(page.pets)
  },
)

app.post('/v1/pets', { schema: { body: newPet, response: { 201: pet, '4xx': error } } }, (request, reply) => {
  const created = pets.create(request.body)
  return reply.code(201).header('location', `/v1/pets/${created.id}`).send(created)
})

app.get(
  '/v1/pets/:petId',
  { schema: { params: petId, response: { 200: pet, '4xx': error } } },
  (request, reply) => {
    const found = pets.get(request.params.petId)
    return found ? reply.send(found) : reply.code(404).send(ERRORS.petNotFound)
  },
)

await app.listen({ host: '127.0.0.1', port })
