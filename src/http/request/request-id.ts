import { MAX_REQUEST_ID_LENGTH } from '../../contract/limits.ts'
import type { KeyRing } from '../../keys/key-ring.ts'

const SANE = new RegExp(`^[A-Za-z0-9\\-_.]{1,${MAX_REQUEST_ID_LENGTH}}$`)

export type RequestIdOf = (request: Request) => string

/**
 * Assigns request ids. The client's own id is kept if it is valid, so that both logs can be matched; an API key sent
 * in the wrong header is not, since it would appear in the log.
 */
export function requestIds(ring: Pick<KeyRing, 'isRevealedBy'>): RequestIdOf {
  // Identifies this process, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return request => {
    const sent = request.headers.get('x-request-id')
    return sent !== null && SANE.test(sent) && !ring.isRevealedBy(sent)
      ? sent
      : `${ours}-${(++count).toString(36)}`
  }
}
