import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import type { Exchange } from '../exchange.ts'
import { drainBody } from './receive-body.ts'

/** Whether a caller may still be sending what was not asked for. */
export function hasUnreadBody(request: Request): boolean {
  const length = request.headers.get('content-length')
  const hasBody = length === null ? request.headers.has('transfer-encoding') : length !== '0'
  return hasBody && !request.bodyUsed
}

/** A proxy, or a caller that is still sending, takes a cut connection for a fault; so up to this much is let in and dropped. */
const DISCARDED_BYTES = 16 * 1024 * 1024

/**
 * Waits for the rest of a small body. The connection ends where there is more of it, or where too many such bodies are under way:
 * the runtime would go on reading a body for as long as someone drips it.
 */
export async function finishBody(exchange: Exchange): Promise<void> {
  const { request, method } = exchange
  const sent = request.headers.get('content-length')
  const length = sent === null ? undefined : Number(sent)
  // The runtime hands out no body of a GET or HEAD, so nothing could wait for its end.
  exchange.closes = method === 'GET' || method === 'HEAD' || !((length ?? 0) <= DISCARDED_BYTES)
  // Said at once, and the runtime drops the rest: a caller that is still sending must be able to read why it should stop.
  if (exchange.closes || (length ?? 0) > MAX_BODY_BYTES) return
  await drainBody(request, length).catch(() => {
    exchange.closes = true
  })
}
