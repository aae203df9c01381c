import { createHmac } from 'node:crypto'
import { ApiError, invalid } from '../contract/errors.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../contract/limits.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { isSameContent, type NewPet, petToJson, readNewPet } from '../contract/pet.ts'
import type { Respond } from '../http/endpoint.ts'
import { Head, JSON_TYPE } from '../http/response.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Added, Idempotency, Store } from '../store/store.ts'
import type { BodyReader } from './body.ts'

/** A key that was accepted this long ago may have been revoked since. */
const VERIFY_AGAIN_AFTER_MS = 1000
const SENT_TWICE =
  'The Idempotency-Key header must be sent once, and must not contain a comma followed by a space.'

/** `POST /pets`: adds an animal. The Location begins with `base`. */
export function createPet(
  store: Pick<Store, 'addPet' | 'cursorSecret'>,
  ring: Pick<KeyRing, 'verify'>,
  bodies: BodyReader,
  base: string,
): Respond {
  const created = new Head(201, { 'Content-Type': JSON_TYPE })
  const replayed = new Head(201, { 'Content-Type': JSON_TYPE, 'Idempotent-Replayed': 'true' })
  /** Hashes of the idempotency keys whose first request has not finished. */
  const inProgress = new Set<string>()

  async function addOnce(pet: NewPet, { keyId, key }: Idempotency): Promise<Added> {
    const hash = hashOfIdempotencyKey(keyId, key, store.cursorSecret)
    if (inProgress.has(hash)) throw new ApiError('idempotency_in_progress')
    inProgress.add(hash)
    try {
      const added = await store.addPet({ pet, idempotency: { keyId, key: hash } })
      // The same meaning counts as the same body: spacing, ignored fields and a spelled-out default do not matter.
      if (added.replayed && !isSameContent(pet, added.pet)) throw new ApiError('idempotency_key_reused')
      return added
    } finally {
      inProgress.delete(hash)
    }
  }

  return async ({ request, startedAt, apiKey, keyId = '' }) => {
    const key = idempotencyKeyOf(request)
    const body = await bodies.readJson(request)
    if (performance.now() - startedAt > VERIFY_AGAIN_AFTER_MS) await ring.verify(apiKey)
    const read = readNewPet(body)
    if (read.problem !== undefined) throw invalid('body', [read.problem])
    const added = await (key === undefined
      ? store.addPet({ pet: read.pet, idempotency: undefined })
      : addOnce(read.pet, { keyId, key }))
    return {
      head: added.replayed ? replayed : created,
      body: petToJson(added.pet),
      location: `${base}${OPERATIONS.createPet.path}/${added.pet.id}`,
    }
  }
}

function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) throw new ApiError('invalid_idempotency_key')
  // The runtime joins two header lines with a comma and a space.
  if (key.includes(', ')) throw new ApiError('invalid_idempotency_key', SENT_TWICE)
  return key
}

/** Keyed, because people paste short secrets, which could be guessed from a plain hash. Its prefix sets it apart from cursors. */
const hashOfIdempotencyKey = (keyId: string, key: string, secret: string): string =>
  createHmac('sha256', secret).update(`idempotency ${keyId} ${key}`).digest('base64url')
