import type { OperationId } from '../../contract/operations.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Store } from '../../store/store.ts'
import { type CacheTallies, RepresentationCache } from '../response/cache.ts'
import type { Deprecations } from '../response/deprecation.ts'
import type { Links } from '../response/links.ts'
import { createPetHandler } from './create-pet.ts'
import { getPetHandler } from './get-pet.ts'
import type { Handler } from './handler.ts'
import { listPetsHandler } from './list-pets.ts'

export interface HandlerOptions {
  readonly store: Store
  readonly ring: KeyRing
  readonly links: Links
  readonly tallies: CacheTallies
  readonly deprecations: Deprecations
}

/** One handler for each operation of the contract. Each has its own cache, so that no key finds another operation's answer. */
export const handlers = (options: HandlerOptions): Record<OperationId, Handler> => {
  const { store, ring, links, tallies, deprecations } = options
  return {
    listPets: listPetsHandler(store, new RepresentationCache(store, tallies.listPets), links),
    createPet: createPetHandler(store, ring, links),
    getPet: getPetHandler(
      store,
      new RepresentationCache(store, tallies.getPet),
      deprecations.headersOf('getPet'),
    ),
  }
}
