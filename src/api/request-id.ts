import { MAX_REQUEST_ID_LENGTH } from '../contract/limits.ts'
import type { KeyRing } from '../keys/key-ring.ts'

const VALID_ID = new RegExp(`^[A-Za-z0-9\\-_.]{1,${MAX_REQUEST_ID_LENGTH}}$`)

/** Assigns request ids. Keeps the client's own id, so that both logs can be matched, if it is valid and contains no API key. */
export function requestIds(ring: Pick<KeyRing, 'isRevealedBy'>): (request: Request) => string {
  // Identifies this thread, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return ({ headers }) => {
    const sent = headers.get('x-request-id')
    if (sent !== null && VALID_ID.test(sent) && !ring.isRevealedBy(sent)) return sent
    return `${ours}-${(++count).toString(36)}`
  }
}
