import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, type ErrorCode, invalid } from '../contract/errors.ts'
import { parseExactJson, TooManyValues } from '../contract/json.ts'
import { faultIn } from '../contract/json-fault.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { JSON_TYPE } from '../http/response.ts'
import { TimedOut, Timeouts } from './timeouts.ts'

/** Each byte resets the runtime's timeout, so a whole body needs its own deadline. */
const BODY_MS = 10_000
/** Maximum size of all bodies that all threads are receiving: a thousand of the largest. */
const MAX_RECEIVING_BYTES = 64 * 1024 * 1024
/** The runtime reads bodies with a Content-Length up to this, because they need less memory than their connection. */
const SMALL_BYTES = 4096
const CUT_SHORT = 'The body ended before it was complete.'

/** Maximum size of a rejected body that is read to its end, so that a proxy that is still sending gets the response... */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024
/** ...and how many pieces it may have beyond one for each KiB, because reading each takes time, however small it is. */
const MAX_DISCARDED_PIECES = 100
/** Bodies that are being discarded at a time. */
const MAX_DISCARDING = 256
/** A client that waits for the response before it sends the rest gets it after this time. */
const STALL_MS = 1000

type Pieces = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** The declared size of a chunked body, which says nothing about it. */
const CHUNKED = Number.POSITIVE_INFINITY

/** The size of a body by its headers. */
function declaredBytes(headers: Headers): number {
  const length = headers.get('content-length')
  if (length !== null) return Number(length)
  return headers.has('transfer-encoding') ? CHUNKED : 0
}

/** Whether a client may still be sending a body that nobody reads. */
export const hasUnreadBody = ({ bodyUsed, headers }: Request): boolean =>
  !bodyUsed && declaredBytes(headers) > 0

/** The service does not wait for the rest of the body, so it closes the connection. */
export class BodyAbandoned extends ApiError {}

/** Reads bodies, or discards them, within limits of size and time, and of the memory that all of them may take together. */
export class BodyReader {
  readonly #timeouts = new Timeouts()
  #bytesLeft: number
  #discarding = 0

  /** `threads` is the number of threads that share the limit of memory. */
  constructor(threads: number) {
    this.#bytesLeft = MAX_RECEIVING_BYTES / threads
  }

  /** The value of a body that is said to be JSON, exact to the last digit. */
  async readJson(request: Request): Promise<unknown> {
    const { headers } = request
    const size = declaredBytes(headers)
    if (size === 0) return parseJson(new Uint8Array())
    assertMediaType(headers)
    if (size > MAX_BODY_BYTES && size !== CHUNKED) throw new ApiError('body_too_large')
    let bytes: Uint8Array
    try {
      bytes = await (size <= SMALL_BYTES
        ? this.#timeouts.inTime(request.bytes(), BODY_MS)
        : this.#receive(request))
    } catch (cause) {
      throw failureOf(cause)
    }
    return parseJson(bytes)
  }

  async #receive(request: Request): Promise<Uint8Array> {
    // The runtime joins chunks that arrive before they are asked for. Reading each would make tiny chunks 40 times as expensive.
    await nextTurn()
    const { body, signal } = request
    const pieces: Pieces | undefined = body?.getReader()
    // One buffer, because an array of chunks would take far more memory than the bytes in them.
    const buffer = new Bun.ArrayBufferSink()
    buffer.start({ asUint8Array: true })
    let length = 0
    let isOver = false
    const gather = async (): Promise<Uint8Array> => {
      while (pieces !== undefined) {
        const { done, value } = await pieces.read()
        // After the last chunk the runtime may find a trailer, which it rejects itself; by the next turn it has.
        await nextTurn()
        // After the deadline nothing more may be taken from the budget.
        if (done || isOver) break
        if (value === undefined) continue
        if (length + value.length > MAX_BODY_BYTES) return this.#reject(pieces, 'body_too_large')
        // The budget counts what has arrived, not what was announced.
        if (value.length > this.#bytesLeft)
          return this.#reject(pieces, 'unavailable', 'Too many bodies are being received. Try again shortly.')
        this.#bytesLeft -= value.length
        length += value.length
        buffer.write(value)
      }
      if (signal.aborted) throw new ApiError('malformed_json', CUT_SHORT)
      return buffer.end() as Uint8Array
    }
    try {
      // One deadline for the whole body, because one for each read would double the cost of bodies in tiny chunks.
      return await this.#timeouts.inTime(gather(), BODY_MS)
    } finally {
      isOver = true
      this.#bytesLeft += length
    }
  }

  async #reject(rest: Pieces, code: ErrorCode, message?: string): Promise<never> {
    const isRead = await this.#discardRest(rest)
    throw isRead ? new ApiError(code, message) : new BodyAbandoned(code, message)
  }

  /** Reads a rejected body to its end. False if it exceeds the bounds, or if too many are being read. */
  async discard(request: Request): Promise<boolean> {
    await nextTurn()
    const { body } = request
    return body === null || this.#discardRest(body.getReader())
  }

  async #discardRest(pieces: Pieces): Promise<boolean> {
    if (this.#discarding >= MAX_DISCARDING) return false
    this.#discarding++
    const end = performance.now() + BODY_MS
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

function failureOf(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  if (cause instanceof TimedOut)
    return new BodyAbandoned('malformed_json', `The body did not arrive within ${BODY_MS / 1000} seconds.`)
  // The client hung up or broke the chunking: its own fault, so it is not logged as an error.
  return new ApiError('malformed_json', CUT_SHORT, { cause })
}

function assertMediaType(headers: Headers): void {
  const sent = headers.get('content-type')
  const type = sent === JSON_TYPE ? sent : sent?.split(';', 1)[0]?.trim().toLowerCase()
  // The runtime joins two header lines with a comma and a space.
  if (type !== JSON_TYPE || sent?.includes(', ')) throw new ApiError('unsupported_media_type')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', 'The body must be sent without a Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_json', 'The body is empty. Send one JSON object.')
  try {
    return parseExactJson(decoder.decode(bytes))
  } catch (cause) {
    if (cause instanceof TooManyValues) throw invalid('body', [cause.message])
    const isUtf8 = cause instanceof SyntaxError
    const message = isUtf8
      ? `The body is not valid JSON at ${faultIn(new TextDecoder().decode(bytes))}.`
      : `The body is not UTF-8 at character ${validCharacters(bytes) + 1}.`
    throw new ApiError('malformed_json', message, { cause })
  }
}

/** The number of characters before the first invalid byte. Decoding replaces it with U+FFFD, which a client may also have sent. */
function validCharacters(bytes: Uint8Array): number {
  const replaced = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  const at = bytes.findIndex((byte, index) => byte !== replaced[index])
  return new TextDecoder().decode(bytes.subarray(0, at), { stream: true }).length
}
