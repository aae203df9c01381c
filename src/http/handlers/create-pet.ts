import { ApiError } from '../../contract/errors.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../contract/limits.ts'
import { NewPet, petToJson } from '../../contract/pet.ts'
import { validate } from '../../contract/validate.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { createPetIn } from '../../operations/create-pet.ts'
import type { Idempotency, Store } from '../../store/store.ts'
import { JSON_TYPE } from '../answer.ts'
import { authenticate } from '../request/authenticate.ts'
import { parseJsonBody, readJsonBody } from '../request/body.ts'
import type { Links } from '../response/links.ts'
import type { Handler } from './handler.ts'

export function createPetHandler(store: Store, ring: KeyRing, links: Links): Handler {
  const createPet = createPetIn(store)
  const createdHeaders = new Headers({ 'Content-Type': JSON_TYPE })
  const replayedHeaders = new Headers({ 'Content-Type': JSON_TYPE, 'Idempotent-Replayed': 'true' })
  return async (request, keyId) => {
    const idempotency = idempotencyOf(request, keyId)
    const bytes = await readJsonBody(request)
    // A body may take seconds to come, and the key may have been revoked meanwhile.
    const stillGood = authenticate(request, ring, performance.now())
    if (stillGood instanceof Promise) await stillGood
    const newPet = validate(NewPet, parseJsonBody(bytes), 'invalid_body', 'body')
    const { pet, replayed } = await createPet(newPet, idempotency)
    return {
      status: 201,
      headers: replayed ? replayedHeaders : createdHeaders,
      own: { Location: links.pet(pet.id) },
      body: petToJson(pet),
    }
  }
}

function idempotencyOf(request: Request, keyId: string): Idempotency | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) throw new ApiError('invalid_idempotency_key')
  return { keyId, key }
}
