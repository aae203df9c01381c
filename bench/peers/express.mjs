import Database from 'better-sqlite3'
import express from 'express'
import { z } from 'zod'
import { hasKey, INVALID_KEY, openPets, PET_NOT_FOUND, port } from './shared.mjs'

const pets = openPets(Database)

const status = z.enum(['available', 'pending', 'sold']).optional()
const newPet = z.object({ name: z.string().min(1).max(255), categoryId: z.int(), status })
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status,
  cursor: z.coerce.number().int().min(0).default(0),
})
const petId = z.coerce.number().int()

const app = express()
app.disable('x-powered-by')

app.use((request, response, next) => {
  if (hasKey(request.headers.authorization)) return next()
  response.status(401).set('WWW-Authenticate', 'Bearer realm="petstore"').json(INVALID_KEY)
})
app.use(express.json({ limit: '64kb' }))

app.get('/v1/pets', (request, response) => {
  const page = pets.list(listQuery.parse(request.query))
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
  if (!found) return response.status(404).json(PET_NOT_FOUND)
  response.json(found)
})

app.use((failure, _request, response, next) => {
  if (!(failure instanceof z.ZodError)) return next(failure)
  response.status(400).json({ code: 'invalid_request', message: z.prettifyError(failure), status: 400 })
})

app.listen(port, '127.0.0.1')
