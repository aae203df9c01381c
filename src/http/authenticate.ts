import type { KeyRing } from '../keys/key-ring.ts'
import { Refused } from '../keys/refused.ts'
import type { MaybePromise } from '../store/store.ts'

const BEARER = /^bearer +([^ ].*)$/i

/** The id of the key that a request carries; throws a 401 otherwise. */
export function authenticate(request: Request, ring: KeyRing, now: number): MaybePromise<string> {
  const credentials = request.headers.get('authorization')
  if (credentials === null) throw new Refused('missing')
  return ring.recognise(credentials, now) ?? verify(credentials, ring)
}

function verify(credentials: string, ring: KeyRing): Promise<string> {
  const key = BEARER.exec(credentials)?.[1]
  if (key === undefined) throw new Refused('missing')
  return ring.verify(credentials, key)
}
