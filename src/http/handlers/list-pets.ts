import { petsToJson } from '../../contract/pet.ts'
import { ListPetsQuery } from '../../contract/query.ts'
import { listPets, type PetPage } from '../../operations/list-pets.ts'
import type { Store } from '../../store/store.ts'
import { queryOf, readQuery } from '../request/query.ts'
import { FOREVER, type RepresentationCache, type Validity } from '../response/cache.ts'
import { conditionalAnswer, representation } from '../response/conditional.ts'
import type { Links } from '../response/links.ts'
import type { Handler } from './handler.ts'

interface Listed extends PetPage {
  readonly query: ListPetsQuery
  readonly validity: Validity
}

export const listPetsHandler = (
  store: Store,
  cache: RepresentationCache,
  links: Links,
): Handler<ListPetsQuery, Listed> => ({
  recall: ({ request }) => conditionalAnswer(request, cache.get(request.url)),
  parse: ({ request }) => readQuery(ListPetsQuery, queryOf(request.url)),
  run: async query => {
    const validity = { history: store.history(), revision: store.revision() }
    return { query, validity, ...(await listPets(store, query)) }
  },
  answer: ({ query, validity, pets, next }, { request }) => {
    const isLast = next === undefined
    const page = representation(petsToJson(pets), isLast ? {} : { Link: links.nextPage(next, query) })
    cache.set(request.url, page, isLast ? validity : { ...validity, revision: FOREVER })
    return conditionalAnswer(request, page)
  },
})
