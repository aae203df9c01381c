import { KeyRefused, type KeyRing } from '../keys/key-ring.ts'
import type { MaybePromise } from '../maybe-promise.ts'

const USUAL = 'Bearer '
const BEARER = /^bearer +([^ ].*)$/i

/** The id of the key that a request carries, if it is accepted. */
export function authenticate(request: Request, ring: KeyRing, now: number): MaybePromise<string> {
  const key = bearerKey(request.headers.get('authorization') ?? '')
  return ring.cachedKeyId(key, now) ?? ring.verify(key)
}

function bearerKey(credentials: string): string {
  // Nearly all clients write it like this, and splitting it by hand is faster.
  if (credentials.startsWith(USUAL) && credentials.length > USUAL.length && credentials[USUAL.length] !== ' ')
    return credentials.slice(USUAL.length)
  const key = BEARER.exec(credentials)?.[1]
  if (key === undefined) throw new KeyRefused('missing')
  return key
}
