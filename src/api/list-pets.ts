import { invalid } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { ListPetsQuery, OPERATIONS } from '../contract/operations.ts'
import { petsToJson } from '../contract/pet.ts'
import type { MaybePromise, Store } from '../store/store.ts'
import { FOREVER } from './cache.ts'
import { type Api, type Endpoint, whenReady } from './context.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { conditional, type Representation, representation } from './response.ts'
import { plainListQuery, queryOf, readQuery } from './url.ts'

/** `GET /pets`: a page of animals in the order of their identifiers. */
export const listPets: Endpoint = {
  operation: 'listPets',
  answer: (api, { request }) => {
    const query = parse(queryOf(request.url), api.store)
    // A cursor has one spelling, and only a page whose cursor was accepted is cached.
    const key = `${query.limit} ${query.status ?? ''} ${query.cursor ?? ''}`
    return whenReady(api.cache.cached('listPets', key), known =>
      whenReady(known ?? read(api, query, key), page => conditional(request, page)),
    )
  },
}

/** The schema knows all spellings and says what is wrong; nearly all queries are plain and need it not. */
const parse = (query: string, { cursorSecret }: Store): ListPetsQuery =>
  plainListQuery(query) ??
  readQuery(ListPetsQuery, query, ({ cursor }) =>
    cursor && openCursor(cursor, cursorSecret) === undefined ? [MESSAGES.cursorIsNotOurs] : [],
  )

function read(api: Api, query: ListPetsQuery, key: string): MaybePromise<Representation> {
  const { store, cache, base } = api
  const { limit, status } = query
  const after = startOf(query, store.cursorSecret)
  const epoch = store.epoch()
  return whenReady(store.listPets({ after, limit, status }), ({ pets, more, revision }) => {
    const last = pets.at(-1)
    const next = more && last ? sealCursor({ after: last.id, status }, store.cursorSecret) : undefined
    const page = representation(
      petsToJson(pets),
      next === undefined ? {} : { Link: linkTo(base, next, query) },
    )
    cache.set('listPets', key, page, { epoch, revision: next === undefined ? revision : FOREVER })
    return page
  })
}

function startOf({ cursor: text, status }: ListPetsQuery, secret: string): bigint {
  if (text === undefined) return 0n
  const cursor = openCursor(text, secret)
  if (cursor === undefined) throw invalid('invalid_query', 'query', [MESSAGES.cursorIsNotOurs])
  if (cursor.status !== status)
    throw invalid('invalid_query', 'query', [MESSAGES.cursorIsOfAnotherList(cursor.status)])
  return cursor.after
}

function linkTo(base: string, cursor: string, { limit, status }: ListPetsQuery): string {
  const query = new URLSearchParams({ limit: String(limit), ...(status && { status }), cursor })
  return `<${base}${OPERATIONS.listPets.path}?${query}>; rel="next"`
}
