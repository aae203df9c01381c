import { invalid } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { type ListPetsQuery, OPERATIONS } from '../contract/operations.ts'
import { petToJson } from '../contract/pet-json.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import { FOREVER } from './cache.ts'
import { type Api, type Endpoint, whenReady } from './context.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { conditional, type Representation, representation } from './response.ts'
import { plainListQuery, queryOf, readListQuery } from './url.ts'

/** `GET /pets`: a page of animals in the order of their identifiers. */
export const listPets: Endpoint = {
  operation: 'listPets',
  answer: (api, { request }) => {
    const query = parse(queryOf(request.url), api.store)
    // A cursor has one spelling, and only a page whose cursor was accepted is cached.
    const key = `list ${query.limit} ${query.status ?? ''} ${query.cursor ?? ''}`
    return whenReady(api.cache.cached('listPets', key), known =>
      whenReady(known ?? read(api, query, key), page => conditional(request, page)),
    )
  },
}

/** The schema knows all spellings and says what is wrong; nearly all queries are plain and need it not. */
const parse = (query: string, { cursorSecret }: Store): ListPetsQuery =>
  plainListQuery(query) ??
  readListQuery(query, cursor => (openCursor(cursor, cursorSecret) ? [] : [MESSAGES.cursorIsNotOurs]))

function read(api: Api, query: ListPetsQuery, key: string): MaybePromise<Representation> {
  const { store, cache, base } = api
  const { limit, status } = query
  const after = startOf(query, store.cursorSecret)
  const epoch = store.epoch()
  return whenReady(store.listPets({ after, limit, status }), ({ pets, more, revision }) => {
    const last = more ? pets.at(-1) : undefined
    const headers = last && {
      Link: linkTo(base, sealCursor({ after: last.id, status }, store.cursorSecret), query),
    }
    const page = representation(`[${pets.map(pet => petToJson(pet)).join()}]`, headers)
    cache.set(key, page, { epoch, revision: last === undefined ? revision : FOREVER })
    return page
  })
}

function startOf({ cursor: text, status }: ListPetsQuery, secret: string): bigint {
  if (text === undefined) return 0n
  const cursor = openCursor(text, secret)
  if (cursor === undefined) throw invalid('query', [MESSAGES.cursorIsNotOurs])
  if (cursor.status !== status) throw invalid('query', [MESSAGES.cursorIsOfAnotherList(cursor.status)])
  return cursor.after
}

/** None of the values has a character that must be escaped. */
const linkTo = (base: string, cursor: string, { limit, status }: ListPetsQuery): string =>
  `<${base}${OPERATIONS.listPets.path}?limit=${limit}${status ? `&status=${status}` : ''}&cursor=${cursor}>; rel="next"`
