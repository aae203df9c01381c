import { type ListPetsQuery, OPERATIONS } from '../contract/operations.ts'
import type { MaybePromise } from '../store/store.ts'
import { FOREVER } from './cache.ts'
import { type Api, type Endpoint, whenReady } from './context.ts'
import { sealCursor } from './cursor.ts'
import { conditional, jsonTemplate, type Representation, representation } from './response.ts'
import { type ListQuery, queryOf, readListQuery } from './url.ts'

/** The last page has no link, so it has a head of its own. */
const PAGE = jsonTemplate()
const LAST_PAGE = jsonTemplate()

/** `GET /pets`: a page of animals in the order of their identifiers. */
export const listPets: Endpoint = {
  operation: 'listPets',
  answer: (api, { request }) => {
    const { headers } = request
    const sent = queryOf(request.url)
    // Most queries are spelled as the cache spells them, and then nothing is parsed.
    const query = api.pageCache.has(sent) ? undefined : readListQuery(sent, api.store.cursorSecret)
    const key = query === undefined ? sent : spelled(query)
    const known = api.pageCache.get(key)
    if (known !== undefined && !(known instanceof Promise)) return conditional(headers, known)
    return whenReady(known, cached =>
      whenReady(cached ?? read(api, query ?? readListQuery(key, api.store.cursorSecret)), page =>
        conditional(headers, page),
      ),
    )
  },
}

function read({ store, pageCache, base }: Api, query: ListQuery): MaybePromise<Representation> {
  const { after, limit, status } = query
  const epoch = store.epoch()
  return whenReady(store.listPets({ after, limit, status }), ({ json, lastId, more, revision }) => {
    const page =
      more && lastId !== undefined
        ? representation(
            PAGE,
            json,
            linkTo(base, { ...query, cursor: sealCursor({ after: lastId, status }, store.cursorSecret) }),
          )
        : representation(LAST_PAGE, json)
    pageCache.set(spelled(query), page, { epoch, revision: more ? FOREVER : revision })
    return page
  })
}

const linkTo = (base: string, query: ListPetsQuery): string =>
  `<${base}${OPERATIONS.listPets.path}?${spelled(query)}>; rel="next"`

/** One spelling of each query. None of the accepted values has a character that must be escaped. */
const spelled = ({ limit, status, cursor }: ListPetsQuery): string =>
  `limit=${limit}${status ? `&status=${status}` : ''}${cursor ? `&cursor=${cursor}` : ''}`
