import { MAX_REQUEST_ID_LENGTH } from '../contract/limits.ts'
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

const VALID_ID = new RegExp(`^[A-Za-z0-9\\-_.]{1,${MAX_REQUEST_ID_LENGTH}}$`)

/** Assigns request ids. The client's own is kept if it is valid, so that both logs can be matched, and reveals no API key. */
export function requestIds(ring: Pick<KeyRing, 'isRevealedBy'>): (request: Request) => string {
  // Identifies this process, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return ({ headers }) => {
    const sent = headers.get('x-request-id')
    if (sent !== null && VALID_ID.test(sent) && !ring.isRevealedBy(sent)) return sent
    return `${ours}-${(++count).toString(36)}`
  }
}
