import { KeyRejected, type KeyRing } from '../keys/key-ring.ts'
import type { MaybePromise } from '../maybe-promise.ts'

const BEARER = /^bearer +[^ ]/i

/** The id of the key that a request carries, if it is accepted. */
export function authenticate(request: Request, ring: KeyRing, now: number): MaybePromise<string> {
  const key = keyIn(request)
  return ring.cachedKeyId(key, now) ?? ring.verify(key)
}

/** Looks the key up even if it was verified a moment ago: it may have been revoked since. */
export const authenticateAgain = (request: Request, ring: KeyRing): Promise<string> =>
  ring.verify(keyIn(request))

function keyIn({ headers }: Request): string {
  const credentials = headers.get('authorization') ?? ''
  if (!BEARER.test(credentials)) throw new KeyRejected('missing')
  return credentials.slice(credentials.indexOf(' ')).trimStart()
}
