import type { Exchange } from '../exchange.ts'
import { discardBody, MAX_DISCARDED_BYTES } from './receive-body.ts'

/** Whether a caller may still be sending what was not asked for. */
export function hasUnreadBody(request: Request): boolean {
  const length = request.headers.get('content-length')
  const hasBody = length === null ? request.headers.has('transfer-encoding') : length !== '0'
  return hasBody && !request.bodyUsed
}

/** The runtime says `100 Continue` to this spelling only. A caller that wrote another one waits for it in vain. */
export function isExpectationUnmet({ headers }: Request): boolean {
  const expected = headers.get('expect')
  return expected !== null && expected !== '100-continue'
}

/**
 * Lets the rest of a body in, and drops it, before the answer goes out: a caller that is still sending would not read the answer,
 * and a proxy would send the next request where the rest is expected. What is too large, or comes too slowly, ends the connection.
 */
export async function finishBody(exchange: Exchange): Promise<void> {
  const { request, method } = exchange
  const length = Number(request.headers.get('content-length') ?? 0)
  // The runtime hands out no body of a GET or HEAD, so nothing could wait for its end.
  const isReadable = method !== 'GET' && method !== 'HEAD' && !request.headers.has('trailer')
  const canWait = isReadable && length <= MAX_DISCARDED_BYTES && !isExpectationUnmet(request)
  exchange.closes = !(canWait && (await discardBody(request)))
}
