import { ApiError } from '../contract/errors.ts'
import { isWholeNumber, parseInt64 } from '../contract/int64.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Pet } from '../contract/pet.ts'
import type { Store } from '../store/store.ts'

export async function getPet(store: Store, petId: string): Promise<Pet> {
  const id = parseInt64(petId)
  if (id === undefined)
    throw new ApiError(
      'pet_not_found',
      isWholeNumber(petId) ? MESSAGES.identifierOutOfRange : MESSAGES.noPlainIdentifier,
    )
  const pet = await store.findPet(id)
  if (pet === undefined) throw new ApiError('pet_not_found', MESSAGES.noPet(id))
  return pet
}
