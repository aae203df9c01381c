import { LIMIT_DEFAULT } from '../contract/limits.ts'
import { type ListPetsQuery, OPERATIONS } from '../contract/operations.ts'
import type { Respond } from '../http/endpoint.ts'
import { jsonHeads, representation } from '../http/representation.ts'
import { whenReady } from '../maybe-promise.ts'
import type { Store, StoredPage } from '../store/store.ts'
import { FOREVER, type ResponseCache } from './cache.ts'
import { sealCursor } from './cursor.ts'
import { type ListQuery, queryOf, readListQuery } from './url.ts'

interface ListPetsParts {
  readonly store: Pick<Store, 'listPets' | 'cursorSecret'>
  readonly cache: ResponseCache
  /** Where links begin. */
  readonly base: string
}

/** `GET /pets`: a page of animals in the order of their identifiers. */
export function listPets({ store, cache, base }: ListPetsParts): Respond {
  const heads = jsonHeads()
  const secret = store.cursorSecret

  function fresh(query: ListQuery, { json, lastId, more, revision }: StoredPage) {
    if (!more || lastId === undefined) return { representation: representation(heads, json), revision }
    const cursor = sealCursor({ after: lastId, status: query.status }, secret)
    const link = `<${base}${OPERATIONS.listPets.path}?${spelled({ ...query, cursor })}>; rel="next"`
    return { representation: representation(heads, json, link), revision: FOREVER }
  }

  const readPage = (query: ListQuery) => whenReady(store.listPets(query), stored => fresh(query, stored))
  const readSpelled = (key: string) => readPage(readListQuery(key, secret))

  return ({ request: { url, headers } }) => {
    const sent = queryOf(url) || DEFAULT_QUERY
    // Most queries are spelled as the cache spells them, and then nothing is parsed.
    if (cache.has(sent)) return cache.respond(sent, headers, readSpelled)
    const query = readListQuery(sent, secret)
    return cache.respond(spelled(query), headers, () => readPage(query))
  }
}

/** One spelling for each query. None of the accepted values contains a character that must be escaped. */
const spelled = ({ limit, status, cursor }: ListPetsQuery): string =>
  `limit=${limit}${status ? `&status=${status}` : ''}${cursor ? `&cursor=${cursor}` : ''}`

const DEFAULT_QUERY = `limit=${LIMIT_DEFAULT}`
