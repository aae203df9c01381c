import { Database } from 'bun:sqlite'
import { Elysia, t } from 'elysia'
import { decodeCursor, nextLink } from './shared/cursor.mjs'
import {
  INTERNAL_ERROR,
  INVALID_CURSOR,
  INVALID_KEY,
  invalid,
  PET_NOT_FOUND,
  ROUTE_NOT_FOUND,
} from './shared/errors.mjs'
import { keyCheck } from './shared/key.mjs'
import { openPets } from './shared/pets.mjs'
import { readSettings } from './shared/settings.mjs'

const { port, key, file } = readSettings()
const pets = openPets(new Database(file))
const hasKey = keyCheck(key)

const petStatus = t.Union([t.Literal('available'), t.Literal('pending'), t.Literal('sold')])
const newPet = t.Object({
  name: t.String({ minLength: 1, maxLength: 255 }),
  categoryId: t.Integer(),
  status: t.Optional(petStatus),
})
const listQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  status: t.Optional(petStatus),
  cursor: t.Optional(t.String({ minLength: 1 })),
})

new Elysia()
  .onBeforeHandle(({ request, set, status }) => {
    if (hasKey(request.headers.get('authorization'))) return
    set.headers['www-authenticate'] = 'Bearer realm="petstore"'
    return status(401, INVALID_KEY)
  })
  .onError(({ code, error, status }) => {
    if (code === 'NOT_FOUND') return status(404, ROUTE_NOT_FOUND)
    if (code === 'VALIDATION') return status(400, invalid(error.all.map(each => each.summary).join('; ')))
    if (code === 'PARSE') return status(400, invalid('The body is not JSON.'))
    return status(500, INTERNAL_ERROR)
  })
  .get(
    '/v1/pets',
    ({ query, set, status }) => {
      const after = decodeCursor(query.cursor)
      if (after === undefined) return status(400, INVALID_CURSOR)
      const page = pets.list({ limit: query.limit, status: query.status, after })
      if (page.hasMore) set.headers.link = nextLink(query, page.pets)
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
