import type { Exchange } from '../exchange.ts'
import { discardBody, MAX_DISCARDED_BYTES } from './receive-body.ts'

/** Whether a client may still be sending a body that is not read. */
export function hasUnreadBody(request: Request): boolean {
  const length = request.headers.get('content-length')
  const hasBody = length === null ? request.headers.has('transfer-encoding') : length !== '0'
  return hasBody && !request.bodyUsed
}

/** The runtime sends `100 Continue` only for this spelling. A client that uses another one waits in vain. */
function isExpectationUnmet({ headers }: Request): boolean {
  const expected = headers.get('expect')
  return expected !== null && expected !== '100-continue'
}

/**
 * Reads and drops the rest of a body before the answer is sent: a client that is still sending would not read the answer,
 * and a proxy would send the next request where the rest is expected. A body that is too large or too slow ends the connection.
 */
export async function finishBody(exchange: Exchange): Promise<void> {
  const { request, method } = exchange
  const length = Number(request.headers.get('content-length') ?? 0)
  // The runtime hands out no body of a GET or HEAD, so nothing could wait for its end.
  const isReadable = method !== 'GET' && method !== 'HEAD' && !request.headers.has('trailer')
  const canWait = isReadable && length <= MAX_DISCARDED_BYTES && !isExpectationUnmet(request)
  exchange.closes = !(canWait && (await discardBody(request)))
}
