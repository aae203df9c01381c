import { PetstoreError } from '../../contract/errors.ts'
import { NewPet, petToJson } from '../../contract/pet.ts'
import { validate } from '../../contract/validate.ts'
import { createPetIn } from '../../operations/create-pet.ts'
import type { Idempotency, Store } from '../../store/store.ts'
import { jsonAnswer } from '../answer.ts'
import type { Links } from '../links.ts'
import { readJsonBody } from '../read-body.ts'
import type { Handler } from './handler.ts'

const MAX_IDEMPOTENCY_KEY_LENGTH = 255

export function createPetHandler(store: Store, links: Links): Handler {
  const createPet = createPetIn(store)
  return async (request, keyId) => {
    const idempotency = idempotencyOf(request, keyId)
    const newPet = validate(NewPet, await readJsonBody(request), 'invalid_body', 'body')
    const { pet, replayed } = await createPet(newPet, idempotency)
    return jsonAnswer(201, petToJson(pet), {
      Location: links.pet(pet.id),
      ...(replayed && { 'Idempotent-Replayed': 'true' }),
    })
  }
}

function idempotencyOf(request: Request, keyId: string): Idempotency | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw new PetstoreError('invalid_idempotency_key')
  return { keyId, key }
}
