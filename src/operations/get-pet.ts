import { PetstoreError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64.ts'
import type { Pet } from '../contract/pet.ts'
import type { Store } from '../store/store.ts'

export async function getPet(store: Store, petId: string): Promise<Pet> {
  const id = parseInt64(petId)
  if (id === undefined)
    throw new PetstoreError(
      'pet_not_found',
      'There is no such animal: an identifier is an integer in plain decimal form.',
    )
  const pet = await store.findPet(id)
  if (pet === undefined)
    throw new PetstoreError('pet_not_found', `There is no animal with the identifier ${id}.`)
  return pet
}
