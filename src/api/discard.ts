import { Timeouts } from './timeouts.ts'

/** Maximum size of a rejected body that is read to its end, so that a proxy that is still sending gets the response... */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024
/** ...and how many pieces it may have beyond one for each KiB, because reading each takes time, however small it is. */
const MAX_DISCARDED_PIECES = 100
/** Bodies that are being discarded at a time. */
const MAX_DISCARDING = 256
const DISCARD_MS = 10_000
/** A client that waits for the response before it sends the rest gets it after this time. */
const STALL_MS = 1000

export type Pieces = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** Lets the runtime join chunks that arrive meanwhile. Reading each would make a body of tiny chunks 40 times as expensive. */
export const nextTurn = (): Promise<void> => new Promise(setImmediate)

/** The size of a body that comes in chunks, before it has come. */
export const CHUNKED = Number.POSITIVE_INFINITY

/** The size of a body by its headers. */
export function declaredBytes(headers: Headers): number {
  const length = headers.get('content-length')
  if (length !== null) return Number(length)
  return headers.has('transfer-encoding') ? CHUNKED : 0
}

/** Whether a client may still be sending a body that nobody reads. */
export const hasUnreadBody = ({ bodyUsed, headers }: Request): boolean =>
  !bodyUsed && declaredBytes(headers) > 0

/** Reads rejected bodies to their end, within bounds. */
export class BodyDiscarder {
  readonly #timeouts = new Timeouts()
  #discarding = 0

  /** False if the body exceeds the bounds, or if too many are being read. */
  async discard(request: Request): Promise<boolean> {
    await nextTurn()
    const { body } = request
    return body === null || this.discardRest(body.getReader())
  }

  async discardRest(pieces: Pieces): Promise<boolean> {
    if (this.#discarding >= MAX_DISCARDING) return false
    this.#discarding++
    const end = performance.now() + DISCARD_MS
    try {
      for (let reads = 0, total = 0; total <= MAX_DISCARDED_BYTES; reads++) {
        if (reads > MAX_DISCARDED_PIECES + total / 1024) return false
        const timeoutMs = Math.min(end - performance.now(), STALL_MS)
        const { done, value } = await this.#timeouts.inTime(pieces.read(), timeoutMs)
        if (done) return true
        total += value?.length ?? 0
      }
      return false
    } catch {
      return false
    } finally {
      this.#discarding--
    }
  }
}
