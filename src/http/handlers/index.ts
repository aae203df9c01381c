import { ApiError } from '../../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId } from '../../contract/operations.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Store } from '../../store/store.ts'
import { type CacheTallies, RepresentationCache } from '../response/cache.ts'
import { deprecationHeaders } from '../response/deprecation.ts'
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
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** One handler for each operation of the contract. Each keeps answers of its own: what names one must not lead to another's. */
export function handlers(options: HandlerOptions): Record<OperationId, Handler> {
  const { store, ring, links, tallies, rehearseSunset } = options
  const deprecation = deprecationHeaders(OPERATIONS.getPet, links)
  const all = {
    listPets: listPetsHandler(store, links, new RepresentationCache(store), tallies.listPets),
    createPet: createPetHandler(store, ring, links),
    getPet: getPetHandler(store, deprecation, new RepresentationCache(store), tallies.getPet),
  }
  if (!rehearseSunset) return all
  for (const [id, { deprecated }] of Object.entries(OPERATIONS) as [OperationId, Operation][])
    if (deprecated !== undefined) all[id] = removed(deprecated.replacement)
  return all
}

const removed = (replacement: string) => (): never => {
  throw new ApiError('operation_removed', `This operation was removed. Use ${replacement} instead.`)
}
