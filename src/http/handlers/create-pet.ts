import { ApiError, validate } from '../../contract/errors.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { NewPet, petToJson } from '../../contract/pet.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { createPetIn } from '../../operations/create-pet.ts'
import type { Added, Idempotency, Store } from '../../store/store.ts'
import { JSON_TYPE } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { authenticate } from '../request/authenticate.ts'
import { parseJsonBody, readJsonBody } from '../request/body.ts'
import { KeptHeaders } from '../response/kept-headers.ts'
import type { Links } from '../response/links.ts'
import type { Handler } from './handler.ts'

const CREATED = 201

interface Creation {
  readonly newPet: NewPet
  readonly idempotency: Idempotency | undefined
}

export function createPetHandler(store: Store, ring: KeyRing, links: Links): Handler<Creation, Added> {
  const createPet = createPetIn(store)
  const created = KeptHeaders.located(CREATED, { 'Content-Type': JSON_TYPE })
  const again = KeptHeaders.located(CREATED, { 'Content-Type': JSON_TYPE, 'Idempotent-Replayed': 'true' })
  return {
    parse: async exchange => {
      const idempotency = idempotencyOf(exchange)
      const bytes = await readJsonBody(exchange.request)
      // A body may take seconds to arrive, and the key may have been revoked meanwhile.
      const stillGood = authenticate(exchange.request, ring, performance.now())
      if (stillGood instanceof Promise) await stillGood
      return { idempotency, newPet: validate(NewPet, parseJsonBody(bytes), 'invalid_body', 'body') }
    },
    run: ({ newPet, idempotency }) => createPet(newPet, idempotency),
    answer: ({ pet, replayed }) => ({
      status: CREATED,
      headers: (replayed ? again : created)(links.pet(pet.id)),
      body: petToJson(pet),
    }),
  }
}

function idempotencyOf({ request, keyId = '' }: Exchange): Idempotency | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) throw new ApiError('invalid_idempotency_key')
  // The runtime joins two header lines like this, so they look like one.
  if (key.includes(', ')) throw new ApiError('invalid_idempotency_key', MESSAGES.keyIsSentTwice)
  return { keyId, key }
}
