import { PetstoreError } from '../contract/errors.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { MaybePromise } from '../store/store.ts'

const BEARER = /^bearer +([^ ].*)$/i

/** The id of the key that a request carries; throws a 401 otherwise. */
export function authenticate(request: Request, ring: KeyRing): MaybePromise<string> {
  const key = BEARER.exec(request.headers.get('authorization') ?? '')?.[1]
  if (key === undefined) throw new PetstoreError('missing_api_key')
  return ring.verify(key)
}
