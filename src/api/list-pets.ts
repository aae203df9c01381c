import { OPERATIONS } from '../contract/operations.ts'
import type { Respond } from '../http/endpoint.ts'
import { jsonHeads, representation } from '../http/representation.ts'
import { whenReady } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { ResponseCache } from './cache.ts'
import { sealCursor } from './cursor.ts'
import { queryOf, readListQuery } from './url.ts'

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
