import { ApiError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64.ts'
import { MESSAGES } from '../contract/messages.ts'
import { petToJson } from '../contract/pet-json.ts'
import type { MaybePromise } from '../store/store.ts'
import { FOREVER } from './cache.ts'
import { type Api, type Endpoint, whenReady } from './context.ts'
import { conditional, type Representation, representation } from './response.ts'

/** `GET /pets/{petId}`: one animal. Deprecated. */
export const getPet: Endpoint = {
  operation: 'getPet',
  answer: (api, { request }) => {
    const petId = request.params?.petId ?? ''
    const id = parseInt64(petId)
    if (id === undefined) throw new ApiError('pet_not_found', MESSAGES.noIdentifier)
    // An int64 has one spelling, which is no key of a page.
    return whenReady(api.cache.cached('getPet', petId), known =>
      whenReady(known ?? read(api, petId, id), pet => conditional(request, pet)),
    )
  },
}

function read(
  { store, cache, deprecationHeaders }: Api,
  petId: string,
  id: bigint,
): MaybePromise<Representation> {
  const epoch = store.epoch()
  return whenReady(store.findPet(id), pet => {
    if (pet === undefined) throw new ApiError('pet_not_found', MESSAGES.noPet(id))
    const animal = representation(petToJson(pet), deprecationHeaders.getPet)
    cache.set(petId, animal, { epoch, revision: FOREVER })
    return animal
  })
}
