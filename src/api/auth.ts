import { AuthError, type KeyRing } from '../keys/key-ring.ts'
import type { MaybePromise } from '../store/store.ts'

const USUAL = 'Bearer '
const BEARER = /^bearer +([^ ].*)$/i

/** The id of the key that a request carries; throws a 401 otherwise. */
export function authenticate(request: Request, ring: KeyRing, now: number): MaybePromise<string> {
  const key = keyIn(request.headers.get('authorization') ?? '')
  return ring.cachedKeyId(key, now) ?? ring.verify(key)
}

function keyIn(credentials: string): string {
  // Nearly all clients write it like this, and splitting it by hand is faster.
  if (credentials.startsWith(USUAL) && credentials.length > USUAL.length && credentials[USUAL.length] !== ' ')
    return credentials.slice(USUAL.length)
  const key = BEARER.exec(credentials)?.[1]
  if (key === undefined) throw new AuthError('missing')
  return key
}
