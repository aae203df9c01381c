import { OPERATIONS } from '../contract/operations.ts'
import type { Respond } from '../http/endpoint.ts'
import { jsonHeads, representation } from '../http/representation.ts'
import { whenReady } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { ResponseCache } from './cache.ts'
import { sealCursor } from './cursor.ts'
import { queryOf, readListQuery } from './list-query.ts'

/** `GET /pets`: a page of animals in the order of their identifiers. Links begin with `base`. */
export function listPets(
  store: Pick<Store, 'listPets' | 'cursorSecret'>,
  cache: ResponseCache,
  base: string,
): Respond {
  const heads = jsonHeads()
  const secret = store.cursorSecret

  function read(sent: string) {
    const query = readListQuery(sent, secret)
    return whenReady(store.listPets(query), ({ json, lastId, more, revision }) => {
      if (!more || lastId === undefined) return { representation: representation(heads, json), revision }
      const { limit, status } = query
      const cursor = sealCursor({ after: lastId, status }, secret)
      // None of these values contains a character that must be escaped.
      const next = `limit=${limit}${status ? `&status=${status}` : ''}&cursor=${cursor}`
      const link = `<${base}${OPERATIONS.listPets.path}?${next}>; rel="next"`
      return { representation: representation(heads, json, link), revision: undefined }
    })
  }

  return ({ request: { url, headers } }) => cache.respond(queryOf(url), headers, read)
}
