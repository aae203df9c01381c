import { ApiError, MESSAGES } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64.ts'
import type { Respond } from '../http/endpoint.ts'
import { jsonHeads, representation } from '../http/representation.ts'
import { whenReady } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { ResponseCache } from './cache.ts'

const NO_IDENTIFIER = 'There is no such animal: an identifier is an int64 in plain decimal form.'

/** `GET /pets/{petId}`: one animal. Deprecated. */
export function getPet(store: Pick<Store, 'findPet'>, cache: ResponseCache): Respond {
  const heads = jsonHeads()
  const read = (petId: string) => {
    const id = parseInt64(petId)
    if (id === undefined) throw new ApiError('pet_not_found', NO_IDENTIFIER)
    return whenReady(store.findPet(id), json => {
      if (json === undefined) throw new ApiError('pet_not_found', MESSAGES.noPet(id))
      return { representation: representation(heads, json), revision: undefined }
    })
  }
  return ({ request: { headers, params } }) => cache.respond(params?.petId ?? '', headers, read)
}
