import { ListPetsQuery } from '../../contract/operations.ts'
import { petsToJson } from '../../contract/pet.ts'
import { type ListedPets, listPets, problemsOfCursor } from '../../operations/list-pets.ts'
import type { Store } from '../../store/store.ts'
import { queryOf, readQuery } from '../request/query.ts'
import { FOREVER, type RepresentationCache } from '../response/cache.ts'
import { conditionalAnswer, representation } from '../response/conditional.ts'
import type { Links } from '../response/links.ts'
import type { Handler } from './handler.ts'

interface Listed extends ListedPets {
  readonly query: ListPetsQuery
  readonly epoch: number
}

export const listPetsHandler = (
  store: Store,
  cache: RepresentationCache,
  links: Links,
): Handler<ListPetsQuery, Listed> => ({
  recall: ({ request }) => cache.get(request.url, known => conditionalAnswer(request, known)),
  parse: ({ request }) =>
    readQuery(ListPetsQuery, queryOf(request.url), ({ cursor }) => problemsOfCursor(cursor, store)),
  run: async query => {
    const epoch = store.epoch()
    return { query, epoch, ...(await listPets(store, query)) }
  },
  answer: ({ query, epoch, pets, next, revision }, { request }) => {
    const isLast = next === undefined
    const page = representation(petsToJson(pets), isLast ? {} : { Link: links.nextPage(next, query) })
    cache.set(request.url, page, { epoch, revision: isLast ? revision : FOREVER })
    return conditionalAnswer(request, page)
  },
})
