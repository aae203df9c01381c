import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import type { Answer } from '../answer.ts'
import { drainBody } from './receive-body.ts'

/** Whether a caller may still be sending what nobody has asked for. */
export function hasUnreadBody({ bodyUsed, headers }: Request): boolean {
  if (bodyUsed) return false
  const length = headers.get('content-length')
  return length === null ? headers.has('transfer-encoding') : length !== '0'
}

/** A proxy, or a caller that is still sending, takes a cut connection for a fault; so up to this much is let in and dropped. */
const DISCARDED_BYTES = 16 * 1024 * 1024

/**
 * The answer, once the rest of a small body has come; otherwise, or where too many such bodies are under way, one that ends the
 * connection. The runtime would go on reading a body for as long as someone drips it.
 */
export async function afterUnreadBody(request: Request, answer: Answer): Promise<Answer> {
  const length = request.headers.get('content-length')
  // The runtime hands out no body of a GET or HEAD, so nothing could wait for its end.
  if (request.method === 'GET' || request.method === 'HEAD') return closing(answer)
  if (length !== null && !(Number(length) <= DISCARDED_BYTES)) return closing(answer)
  // Said at once, and the runtime drops the rest: a caller that is still sending must be able to read why it should stop.
  if (length !== null && Number(length) > MAX_BODY_BYTES) return answer
  try {
    await drainBody(request, length === null ? undefined : Number(length))
    return answer
  } catch {
    return closing(answer)
  }
}

/** On a copy: headers that are kept must not close the connections of others. */
const closing = (answer: Answer): Answer => {
  const copy = new Headers(answer.headers)
  copy.set('Connection', 'close')
  return { ...answer, headers: copy }
}
