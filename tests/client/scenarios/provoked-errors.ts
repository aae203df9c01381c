import type { ErrorCode, Petstore, PetstoreOptions } from '../../../client/src/index.ts'
import { NEW_PET } from './world.ts'

type StoreWith = (options?: PetstoreOptions) => Petstore

/** A fetch that changes the request so that the service rejects it. */
const sending = (init: RequestInit, headers: Record<string, string | undefined> = {}): PetstoreOptions => ({
  fetch: (url, meant) => {
    const changed = new Headers(meant.headers)
    for (const [name, value] of Object.entries(headers))
      value === undefined ? changed.delete(name) : changed.set(name, value)
    return fetch(url, { ...meant, ...init, headers: changed })
  },
})

/** How to provoke each error that a request can cause in the real service. */
export const provoke: Partial<Record<ErrorCode, (store: StoreWith) => PromiseLike<unknown>>> = {
  invalid_body: store => store().pets.create({ name: '', categoryId: 1 }),
  invalid_query: store => store().pets.list({ limit: 101 }),
  invalid_idempotency_key: store =>
    store(sending({}, { 'idempotency-key': 'k'.repeat(256) })).pets.create(NEW_PET),
  malformed_json: store => store(sending({ body: '{' })).pets.create(NEW_PET),
  missing_api_key: store => store(sending({}, { authorization: undefined })).pets.list(),
  invalid_api_key: store => store({ apiKey: 'not-a-key' }).pets.list(),
  pet_not_found: store => store().pets.get(2n ** 63n - 1n),
  method_not_allowed: store => store(sending({ method: 'DELETE' })).pets.list(),
  body_too_large: store => store().pets.create({ name: 'x'.repeat(70_000), categoryId: 1 }),
  unsupported_media_type: store => store(sending({}, { 'content-type': 'text/plain' })).pets.create(NEW_PET),
  idempotency_key_reused: async store => {
    const idempotencyKey = crypto.randomUUID()
    await store().pets.create(NEW_PET, { idempotencyKey })
    await store().pets.create({ ...NEW_PET, name: 'Max' }, { idempotencyKey })
  },
}
