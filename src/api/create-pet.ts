import { ApiError, invalid } from '../contract/errors.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { isSameContent, type NewPet, readNewPet } from '../contract/pet.ts'
import { petToJson } from '../contract/pet-json.ts'
import { type Added, hashOfIdempotencyKey, type Idempotency } from '../store/store.ts'
import { authenticate } from './auth.ts'
import { parseJson } from './body.ts'
import type { Api, Endpoint, RequestContext } from './context.ts'
import { JSON_TYPE } from './response.ts'

const CREATED = { status: 201, headers: { 'Content-Type': JSON_TYPE } }
const FIRST = new Response(null, CREATED)
const REPLAYED = new Response(null, {
  ...CREATED,
  headers: { ...CREATED.headers, 'Idempotent-Replayed': 'true' },
})

/** A key that was accepted this long ago may have been revoked meanwhile. */
const VERIFY_AGAIN_AFTER_MS = 1000

/** `POST /pets`: adds an animal. */
export const createPet: Endpoint = {
  operation: 'createPet',
  answer: async (api, context) => {
    const { request, startedAt } = context
    const idempotency = idempotencyOf(context)
    const bytes = await api.bodies.readJson(request)
    const now = performance.now()
    if (now - startedAt > VERIFY_AGAIN_AFTER_MS) await authenticate(request, api.ring, now)
    const newPet = readNewPet(parseJson(bytes))
    if (typeof newPet === 'string') throw invalid('body', [newPet])
    const { pet, replayed } =
      idempotency === undefined
        ? await api.store.addPet({ pet: newPet, idempotency })
        : await createOnce(api, newPet, idempotency)
    return {
      status: CREATED.status,
      head: replayed ? REPLAYED : FIRST,
      body: petToJson(pet),
      location: `${api.base}${OPERATIONS.createPet.path}/${pet.id}`,
    }
  },
}

function idempotencyOf({ request, keyId = '' }: RequestContext): Idempotency | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) throw new ApiError('invalid_idempotency_key')
  // The runtime joins two header lines like this, so they look like one.
  if (key.includes(', ')) throw new ApiError('invalid_idempotency_key', MESSAGES.keyIsSentTwice)
  return { keyId, key }
}

async function createOnce(api: Api, pet: NewPet, { keyId, key }: Idempotency): Promise<Added> {
  const { store, idempotencyInProgress } = api
  const hash = hashOfIdempotencyKey({ keyId, key }, store.cursorSecret)
  if (idempotencyInProgress.has(hash)) throw new ApiError('idempotency_in_progress')
  idempotencyInProgress.add(hash)
  try {
    const added = await store.addPet({ pet, idempotency: { keyId, key: hash } })
    // The same meaning counts as the same body: spacing, ignored fields and a spelled-out default do not matter.
    if (added.replayed && !isSameContent(pet, added.pet)) throw new ApiError('idempotency_key_reused')
    return added
  } finally {
    idempotencyInProgress.delete(hash)
  }
}
