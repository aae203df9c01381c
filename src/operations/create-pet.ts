import { ApiError } from '../contract/errors.ts'
import type { NewPet } from '../contract/pet.ts'
import { hashOfIdempotencyKey } from '../store/idempotency.ts'
import type { Added, Idempotency, Store } from '../store/store.ts'

type CreatePet = (pet: NewPet, idempotency: Idempotency | undefined) => Promise<Added>

export function createPetIn(store: Store): CreatePet {
  const inProgress = new Set<string>()

  async function createOnce(pet: NewPet, idempotency: Idempotency): Promise<Added> {
    const { keyId } = idempotency
    const key = hashOfIdempotencyKey(idempotency, store.cursorSecret)
    if (inProgress.has(key)) throw new ApiError('idempotency_in_progress')
    inProgress.add(key)
    try {
      const added = await store.addPet({ pet, idempotency: { keyId, key } })
      if (added.replayed && !isSameRequest(pet, added.pet)) throw new ApiError('idempotency_key_reused')
      return added
    } finally {
      inProgress.delete(key)
    }
  }

  return (pet, idempotency) =>
    idempotency === undefined ? store.addPet({ pet, idempotency }) : createOnce(pet, idempotency)
}

/** The same meaning counts as the same body: spacing, ignored fields and a spelled-out default do not matter. */
const isSameRequest = (sent: NewPet, stored: NewPet): boolean =>
  sent.name === stored.name && sent.categoryId === stored.categoryId && sent.status === stored.status
