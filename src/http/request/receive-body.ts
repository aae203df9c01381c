import { ApiError } from '../../contract/errors.ts'
import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { Budget } from './budget.ts'
import { Deadlines } from './deadlines.ts'

/** Each byte resets the runtime's timeout, so a whole body needs its own deadline. */
export const BODY_SECONDS = 10
/** For all bodies being received: a thousand of the largest, and any number of usual ones. */
export const MAX_RECEIVING_BYTES = 64 * 1024 * 1024
/** For one refused body that is discarded. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024
/** Bodies that are being discarded at a time. */
export const MAX_DISCARDING = 256
/** A client that waits for the answer before it sends the rest gets it after this time. */
export const STALL_SECONDS = 1

const deadlines = new Deadlines(BODY_SECONDS * 1000)
const stalls = new Deadlines(STALL_SECONDS * 1000)
const receiving = new Budget(MAX_RECEIVING_BYTES)
const discarding = new Budget(MAX_DISCARDING)

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

/** The rest of the body is not waited for, so its connection ends too. */
export class BodyAbandoned extends ApiError {}

/** The bytes of a body, within the limits of its size, of its time, and of what all of them may take. */
export function receiveBody(request: Request, length: number | undefined): Promise<Uint8Array> {
  // A body of unknown length may become as large as any.
  const reserved = length ?? MAX_BODY_BYTES
  if (!receiving.take(reserved)) throw new ApiError('unavailable', MESSAGES.tooManyBodies)
  // Without a declared length the bytes have to be counted as they come.
  return deadlines.within(length === undefined ? gathered(request) : request.bytes(), {
    tooLate: () => new BodyAbandoned('malformed_json', MESSAGES.bodyIsTooSlow(BODY_SECONDS)),
    failed: cutShort,
    over: () => receiving.giveBack(reserved),
  })
}

async function gathered({ body, signal }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader: Reader | undefined = body?.getReader()
  let total = 0
  while (reader !== undefined) {
    const { done, value = new Uint8Array() } = await reader.read()
    if (done) break
    total += value.length
    if (total > MAX_BODY_BYTES)
      throw (await discarded(reader)) ? new ApiError('body_too_large') : new BodyAbandoned('body_too_large')
    chunks.push(value)
  }
  // Behind the last chunk the runtime may find a trailer, which it refuses itself; by the next turn it has.
  await new Promise(setImmediate)
  if (signal.aborted) throw new ApiError('malformed_json', MESSAGES.bodyIsCutShort)
  return Buffer.concat(chunks)
}

/** Reads a refused body to its end; false if it exceeds the bounds, or if too many are being read. */
export async function discardBody({ body }: Request): Promise<boolean> {
  return body === null || discarded(body.getReader())
}

async function discarded(reader: Reader): Promise<boolean> {
  if (!discarding.take(1)) return false
  const until = performance.now() + BODY_SECONDS * 1000
  const failed = () => new BodyAbandoned('malformed_json')
  try {
    for (let total = 0; total <= MAX_DISCARDED_BYTES && performance.now() < until; ) {
      const { done, value } = await stalls.within(reader.read(), { tooLate: failed, failed })
      if (done) return true
      total += value?.length ?? 0
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
