import { Database } from 'bun:sqlite'
import { Elysia, t } from 'elysia'
import { hasKey, INVALID_KEY, openPets, PET_NOT_FOUND, port } from './shared.mjs'

const pets = openPets(Database)

const petStatus = t.Union([t.Literal('available'), t.Literal('pending'), t.Literal('sold')])
const newPet = t.Object({
  name: t.String({ minLength: 1, maxLength: 255 }),
  categoryId: t.Integer(),
  status: t.Optional(petStatus),
})
const listQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  status: t.Optional(petStatus),
  cursor: t.Integer({ minimum: 0, default: 0 }),
})

new Elysia()
  .onBeforeHandle(({ request, set, status }) => {
    if (hasKey(request.headers.get('authorization'))) return
    set.headers['www-authenticate'] = 'Bearer realm="petstore"'
    return status(401, INVALID_KEY)
  })
  .get(
    '/v1/pets',
    ({ query, set }) => {
      const page = pets.list(query)
      if (page.link) set.headers.link = page.link
      return page.pets
    },
    { query: listQuery },
  )
  .post(
    '/v1/pets',
    ({ body, set }) => {
      const created = pets.create(body)
      set.status = 201
      set.headers.location = `/v1/pets/${created.id}`
      return created
    },
    { body: newPet },
  )
  .get('/v1/pets/:petId', ({ params, status }) => pets.get(params.petId) ?? status(404, PET_NOT_FOUND), {
    params: t.Object({ petId: t.Integer() }),
  })
  .listen({ hostname: '127.0.0.1', port })
