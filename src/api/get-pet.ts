import { ApiError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { MaybePromise } from '../store/store.ts'
import { FOREVER } from './cache.ts'
import { type Api, type Endpoint, whenReady } from './context.ts'
import { conditional, type Representation, representation } from './response.ts'

/** `GET /pets/{petId}`: one animal. Deprecated. */
export const getPet: Endpoint = {
  operation: 'getPet',
  answer: (api, { request }) => {
    const { headers, params } = request
    const petId = params?.petId ?? ''
    const known = api.petCache.get(petId)
    if (known !== undefined && !(known instanceof Promise)) return conditional(headers, known)
    return whenReady(known, cached => whenReady(cached ?? read(api, petId), pet => conditional(headers, pet)))
  },
}

function read({ store, petCache, petTemplate }: Api, petId: string): MaybePromise<Representation> {
  const id = parseInt64(petId)
  if (id === undefined) throw new ApiError('pet_not_found', MESSAGES.noIdentifier)
  const epoch = store.epoch()
  return whenReady(store.findPet(id), json => {
    if (json === undefined) throw new ApiError('pet_not_found', MESSAGES.noPet(id))
    const pet = representation(petTemplate, json)
    petCache.set(petId, pet, { epoch, revision: FOREVER })
    return pet
  })
}
