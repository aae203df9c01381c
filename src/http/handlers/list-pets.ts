import { petsToJson } from '../../contract/pet.ts'
import { ListPetsQuery } from '../../contract/query.ts'
import { listPets } from '../../operations/list-pets.ts'
import type { Store } from '../../store/store.ts'
import type { Answer } from '../answer.ts'
import { readQuery } from '../request/query.ts'
import { queryOf } from '../request/query-of.ts'
import { type CacheTally, FOREVER, type RepresentationCache } from '../response/cache.ts'
import { conditionalAnswer, representation } from '../response/conditional.ts'
import type { Links } from '../response/links.ts'
import type { Handler, RoutedRequest } from './handler.ts'

export function listPetsHandler(
  store: Store,
  links: Links,
  cache: RepresentationCache,
  tally: CacheTally,
): Handler {
  async function read(request: RoutedRequest, url: string): Promise<Answer> {
    const query = readQuery(ListPetsQuery, queryOf(url))
    const before = { history: store.history(), revision: store.revision() }
    const { pets, next } = await listPets(store, query)
    const page = representation(
      petsToJson(pets),
      next === undefined ? {} : { Link: links.nextPage(next, query) },
    )
    cache.set(url, page, next === undefined ? before : { ...before, revision: FOREVER })
    return conditionalAnswer(request, page)
  }

  return request => {
    const { url } = request
    const known = cache.get(url, tally)
    return known === undefined ? read(request, url) : conditionalAnswer(request, known)
  }
}
