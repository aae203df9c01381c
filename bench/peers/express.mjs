import Database from 'better-sqlite3'
import express from 'express'
import { z } from 'zod'
import { ERRORS, file, hasKey, invalid, openPets, port } from './shared.mjs'

const pets = openPets(new Database(file))

const status = z.enum(['available', 'pending', 'sold']).optional()
const newPet = z.object({ name: z.string().min(1).max(255), categoryId: z.int(), status })
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status,
  cursor: z.string().min(1).optional(),
})
const petId = z.coerce.number().int()

const app = express()
app.disable('x-powered-by')

app.use((request, response, next) => {
  if (hasKey(request.headers.authorization)) return next()
  response.status(401).set('WWW-Authenticate', 'Bearer realm="petstore"').json(ERRORS.invalidKey)
})
app.use(express.json({ limit: '64kb' }))

app.get('/v1/pets', (request, response) => {
  const page = pets.list(listQuery.parse(request.query))
  if (!page) return response.status(400).json(ERRORS.invalidCursor)
  if (page.link) response.set('Link', page.link)
  response.json(page.pets)
})

app.post('/v1/pets', (request, response) => {
  const created = pets.create(newPet.parse(request.body))
  response.status(201).location(`/v1/pets/${created.id}`).json(created)
})

app.get('/v1/pets/:petId', (request, response) => {
  const id = petId.safeParse(request.params.petId)
  const found = id.success ? pets.get(id.data) : undefined
  if (!found) return response.status(404).json(ERRORS.petNotFound)
  response.json(found)
})

app.use((_request, response) => response.status(404).json(ERRORS.routeNotFound))

app.use((failure, _request, response, _next) => {
  if (failure instanceof z.ZodError) return response.status(400).json(invalid(z.prettifyError(failure)))
  if (failure.status < 500) return response.status(400).json(invalid(failure.message))
  response.status(500).json(ERRORS.internal)
})

app.listen(port, '127.0.0.1')
