import { ApiError } from '../../contract/errors.ts'
import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { Budget } from './budget.ts'
import { Deadlines } from './deadlines.ts'

/** Each byte resets the runtime's timeout, so a whole body needs its own deadline. */
export const BODY_SECONDS = 10
/** For all bodies being received: a thousand of the largest, and any number of usual ones. */
export const MAX_RECEIVING_BYTES = 64 * 1024 * 1024
/** Each chunk of a body costs a read, however small it is. Clients send far larger ones. */
export const MAX_READS = 2000
/** For one refused body that is discarded. */
export const MAX_DISCARDED_BYTES = 256 * 1024
/** Bodies that are being discarded at a time. */
export const MAX_DISCARDING = 256
/** A client that waits for the answer before it sends the rest gets it after this time. */
export const STALL_SECONDS = 1
/** A body that is said to be this small is left to the runtime: it takes less than its connection does. */
const SMALL_BYTES = 4096

const deadlines = new Deadlines(BODY_SECONDS * 1000)
const stalls = new Deadlines(STALL_SECONDS * 1000)
const receiving = new Budget(MAX_RECEIVING_BYTES)
const discarding = new Budget(MAX_DISCARDING)

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

/** The rest of the body is not waited for, so its connection ends too. */
export class BodyAbandoned extends ApiError {}

/** The bytes of a body, within the limits of its size, of its pieces, of its time, and of what all of them may take. */
export function receiveBody(request: Request, length: number | undefined): Promise<Uint8Array> {
  const isSmall = length !== undefined && length <= SMALL_BYTES
  const gathering = new Gathering()
  return deadlines.within(isSmall ? request.bytes() : gathering.gather(request, length), {
    tooLate: () => new BodyAbandoned('malformed_json', MESSAGES.bodyIsTooSlow(BODY_SECONDS)),
    failed: cutShort,
    over: () => gathering.release(),
  })
}

/** A body as it comes. It takes from the budget what has arrived, not what was announced. */
class Gathering {
  #bytes = new Uint8Array()
  #length = 0
  #isOver = false

  async gather({ body, signal }: Request, length: number | undefined): Promise<Uint8Array> {
    const reader: Reader | undefined = body?.getReader()
    for (let reads = 0; reader !== undefined && !this.#isOver; reads++) {
      const { done, value = new Uint8Array() } = await reader.read()
      if (done) break
      const failure =
        reads >= MAX_READS ? new BodyAbandoned('body_too_large', TOO_MANY_PIECES) : this.#add(value)
      if (failure instanceof BodyAbandoned || (failure && (await discarded(reader)))) throw failure
      if (failure) throw new BodyAbandoned(failure.code, failure.message)
    }
    // Behind the last chunk the runtime may find a trailer, which it refuses itself; by the next turn it has.
    if (length === undefined) await new Promise(setImmediate)
    if (signal.aborted) throw new ApiError('malformed_json', MESSAGES.bodyIsCutShort)
    return this.#bytes.subarray(0, this.#length)
  }

  release(): void {
    this.#isOver = true
    receiving.giveBack(this.#bytes.length)
    this.#bytes = new Uint8Array()
  }

  /** One buffer that grows: an array of chunks would take far more memory than the bytes in them. */
  #add(chunk: Uint8Array): ApiError | undefined {
    const length = this.#length + chunk.length
    if (length > MAX_BODY_BYTES) return new ApiError('body_too_large')
    if (length > this.#bytes.length) {
      const size = Math.min(MAX_BODY_BYTES, Math.max(length, 2 * this.#bytes.length, SMALL_BYTES))
      if (!receiving.take(size - this.#bytes.length))
        return new ApiError('unavailable', MESSAGES.tooManyBodies)
      const larger = new Uint8Array(size)
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
    return undefined
  }
}

const TOO_MANY_PIECES = `The body came in more than ${MAX_READS} pieces. Send larger chunks.`

/** Reads a refused body to its end; false if it exceeds the bounds, or if too many are being read. */
export async function discardBody({ body }: Request): Promise<boolean> {
  return body === null || discarded(body.getReader())
}

async function discarded(reader: Reader): Promise<boolean> {
  if (!discarding.take(1)) return false
  const until = performance.now() + BODY_SECONDS * 1000
  const failed = () => new BodyAbandoned('malformed_json')
  try {
    let total = 0
    for (let reads = 0; reads <= MAX_READS + total / 1024 && performance.now() < until; reads++) {
      const { done, value } = await stalls.within(reader.read(), { tooLate: failed, failed })
      if (done) return true
      total += value?.length ?? 0
      if (total > MAX_DISCARDED_BYTES) return false
    }
    return false
  } catch {
    return false
  } finally {
    discarding.giveBack(1)
  }
}

/** The client hung up or broke the chunking: its own fault, so it is not logged as an error. */
const cutShort = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('malformed_json', MESSAGES.bodyIsCutShort, { cause })
