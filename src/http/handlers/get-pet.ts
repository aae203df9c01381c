import { petToJson } from '../../contract/pet.ts'
import { getPet } from '../../operations/get-pet.ts'
import type { Store } from '../../store/store.ts'
import type { Answer } from '../answer.ts'
import { type CacheTally, FOREVER, type RepresentationCache } from '../response/cache.ts'
import { conditionalAnswer, representation } from '../response/conditional.ts'
import type { Handler, RoutedRequest } from './handler.ts'

export function getPetHandler(
  store: Store,
  deprecation: Readonly<Record<string, string>>,
  cache: RepresentationCache,
  tally: CacheTally,
): Handler {
  async function read(request: RoutedRequest, petId: string): Promise<Answer> {
    const history = store.history()
    const animal = representation(petToJson(await getPet(store, petId)), deprecation)
    cache.set(petId, animal, { history, revision: FOREVER })
    return conditionalAnswer(request, animal)
  }

  return request => {
    const petId = request.params?.petId ?? ''
    const known = cache.get(petId, tally)
    return known === undefined ? read(request, petId) : conditionalAnswer(request, known)
  }
}
