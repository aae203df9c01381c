import { ApiError } from '../../contract/errors.ts'
import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { Budget } from './budget.ts'
import { Deadlines } from './deadlines.ts'

/** Each byte puts off the runtime's own timeout, so a whole body needs a deadline of ours. */
export const BODY_SECONDS = 10
/** Of all bodies that are being received: a thousand of the largest at a time, and any number of usual ones. */
export const MAX_RECEIVING_BYTES = 64 * 1024 * 1024
/** Of all bodies whose end is awaited so that their refusal can be read: the runtime keeps what it has received of them, too. */
export const MAX_DRAINING_BYTES = 16 * 1024 * 1024

const deadlines = new Deadlines(BODY_SECONDS * 1000)
const receiving = new Budget(MAX_RECEIVING_BYTES)
const draining = new Budget(MAX_DRAINING_BYTES)

/** A body that is no longer waited for, so its connection ends too. */
export class BodyAbandoned extends ApiError {}

/** The bytes of a body, within the limits of its size, of its time, and of what all of them may take. */
export function receiveBody(request: Request, length: number | undefined): Promise<Uint8Array> {
  if (length !== undefined && length > MAX_BODY_BYTES) throw tooLarge()
  return within(receiving, length, () =>
    // Without a declared length the bytes have to be counted as they come.
    length === undefined ? gathered(request.body) : request.bytes(),
  )
}

/** Waits for the end of a body that is refused; fails at once where too many are being waited for. */
export const drainBody = (request: Request, length: number | undefined): Promise<unknown> =>
  within(draining, length, () => gathered(request.body))

function within(
  budget: Budget,
  length: number | undefined,
  read: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // A body of unknown length may become as large as any.
  const reserved = length ?? MAX_BODY_BYTES
  if (!budget.take(reserved)) throw tooMany()
  return deadlines.within(read(), {
    tooLate: tooSlow,
    failed: cutShort,
    over: () => budget.giveBack(reserved),
  })
}

async function gathered(body: Request['body']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of body ?? []) {
    total += chunk.length
    if (total > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): ApiError => new ApiError('body_too_large')

const tooMany = (): ApiError => new ApiError('unavailable', MESSAGES.tooManyBodies)

/** The caller hung up or broke the chunking: their fault, and no reason to wake anyone. */
const cutShort = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('malformed_json', MESSAGES.bodyIsCutShort, { cause })

const tooSlow = (): ApiError => new BodyAbandoned('malformed_json', MESSAGES.bodyIsTooSlow(BODY_SECONDS))
