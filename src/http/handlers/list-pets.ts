import { petsToJson } from '../../contract/pet.ts'
import { ListPetsQuery } from '../../contract/query.ts'
import { listPets } from '../../operations/list-pets.ts'
import type { Store } from '../../store/store.ts'
import { conditionalAnswer } from '../conditional.ts'
import type { Links } from '../links.ts'
import { readQuery } from '../read-query.ts'
import { targetOf } from '../target.ts'
import type { Handler } from './handler.ts'

export const listPetsHandler =
  (store: Store, links: Links): Handler =>
  async request => {
    const query = readQuery(ListPetsQuery, targetOf(request).query)
    const { pets, next } = await listPets(store, query)
    const link = next === undefined ? undefined : links.nextPage(next, query)
    return conditionalAnswer(request, petsToJson(pets), link === undefined ? {} : { Link: link })
  }
