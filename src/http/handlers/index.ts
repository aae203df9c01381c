import { OPERATIONS, type OperationId } from '../../contract/operations.ts'
import type { Store } from '../../store/store.ts'
import { deprecationHeaders } from '../deprecation.ts'
import type { Links } from '../links.ts'
import { RepresentationCache } from '../representation-cache.ts'
import { createPetHandler } from './create-pet.ts'
import { getPetHandler } from './get-pet.ts'
import type { Handler } from './handler.ts'
import { listPetsHandler } from './list-pets.ts'

/** One handler for each operation of the contract. Lists and animals share one bounded memory of answers. */
export function handlers(store: Store, links: Links): Record<OperationId, Handler> {
  const cache = new RepresentationCache()
  return {
    listPets: listPetsHandler(store, links, cache),
    createPet: createPetHandler(store, links),
    getPet: getPetHandler(store, deprecationHeaders(OPERATIONS.getPet, links), cache),
  }
}
