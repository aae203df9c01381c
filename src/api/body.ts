import { ApiError, type ErrorCode, invalid } from '../contract/errors.ts'
import { parseExactJson, TooManyValues } from '../contract/json.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import { JSON_TYPE } from '../http/response.ts'

/** Each byte resets the runtime's timeout, so a whole body needs its own deadline. */
const BODY_SECONDS = 10
/** For all bodies that all threads are receiving: a thousand of the largest, and any number of usual ones. */
const MAX_RECEIVING_BYTES = 64 * 1024 * 1024
/** Maximum size of a rejected body that is read to its end, so that a proxy that is still sending gets the response... */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024
/** ...and how many pieces it may have beyond one for each KiB, because reading each takes time, however small it is. */
const MAX_DISCARDED_PIECES = 100
/** Bodies that are being discarded at a time. */
const MAX_DISCARDING = 256
/** A client that waits for the response before it sends the rest gets it after this time. */
const STALL_SECONDS = 1
/** The runtime reads bodies with a Content-Length up to this, because they need less memory than their connection. */
const SMALL_BYTES = 4096
/** How often deadlines are checked; one can expire this much late. */
const SWEEP_MS = 200

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
}

/**
 * Lets the runtime join the chunks that arrive meanwhile. Reading each of them would make a body of tiny chunks 40 times as expensive
 * as one of the same size in one piece.
 */
const nextTurn = (): Promise<void> => new Promise(setImmediate)

/** The rest of the body is not waited for, so its connection ends too. */
export class BodyAbandoned extends ApiError {}

/** Reads bodies within limits of size and time, and of the memory that all of them may take together. */
export class BodyReader {
  #bytesLeft: number
  #discarding = 0
  readonly #deadlines = new Deadlines()

  /** `threads` is the number of threads that share the limit of memory. */
  constructor(threads = 1) {
    this.#bytesLeft = MAX_RECEIVING_BYTES / threads
  }

  /** The bytes of a body that is said to be JSON. */
  async readJson(request: Request): Promise<Uint8Array> {
    const { headers } = request
    if (!hasUnreadBody(request)) return new Uint8Array()
    assertMediaType(headers)
    const declared = headers.get('content-length')
    if (declared === null) return this.#receive(request, true)
    if (Number(declared) > MAX_BODY_BYTES) throw new ApiError('body_too_large')
    if (Number(declared) > SMALL_BYTES) return this.#receive(request, false)
    return this.#deadlines.inTime(request.bytes(), BODY_SECONDS * 1000)
  }

  /** Reads a refused body to its end; false if it exceeds the bounds, or if too many are being read. */
  async discard(request: Request): Promise<boolean> {
    await nextTurn()
    const { body } = request
    return body === null || this.#discardRest(body.getReader())
  }

  async #receive(request: Request, isChunked: boolean): Promise<Uint8Array> {
    await nextTurn()
    const { body, signal } = request
    const reader: Reader | undefined = body?.getReader()
    // One buffer, because an array of chunks would take far more memory than the bytes in them.
    const buffer = new Bun.ArrayBufferSink()
    buffer.start({ asUint8Array: true })
    let length = 0
    let isOver = false
    const gather = async (): Promise<Uint8Array> => {
      while (reader !== undefined) {
        const { done, value } = await reader.read()
        if (!done) await nextTurn()
        // After the deadline nothing more may be taken from the budget.
        if (done || isOver) break
        if (value === undefined) continue
        if (length + value.length > MAX_BODY_BYTES) return this.#refuse(reader, 'body_too_large')
        // The budget counts what has arrived, not what was announced.
        if (value.length > this.#bytesLeft) return this.#refuse(reader, 'unavailable', MESSAGES.tooManyBodies)
        this.#bytesLeft -= value.length
        length += value.length
        buffer.write(value)
      }
      // Behind the last chunk the runtime may find a trailer, which it refuses itself; by the next turn it has.
      if (isChunked) await nextTurn()
      if (signal.aborted) throw new ApiError('malformed_json', MESSAGES.bodyIsCutShort)
      return buffer.end() as Uint8Array
    }
    try {
      // One deadline for the whole body, because one for each read would double the cost of bodies in tiny chunks.
      return await this.#deadlines.inTime(gather(), BODY_SECONDS * 1000)
    } finally {
      isOver = true
      this.#bytesLeft += length
    }
  }

  async #refuse(reader: Reader, code: ErrorCode, message?: string): Promise<never> {
    throw (await this.#discardRest(reader)) ? new ApiError(code, message) : new BodyAbandoned(code, message)
  }

  async #discardRest(reader: Reader): Promise<boolean> {
    if (this.#discarding >= MAX_DISCARDING) return false
    this.#discarding++
    const end = performance.now() + BODY_SECONDS * 1000
    try {
      for (let reads = 0, total = 0; total <= MAX_DISCARDED_BYTES; reads++) {
        if (reads > MAX_DISCARDED_PIECES + total / 1024) return false
        const timeoutMs = Math.min(end - performance.now(), STALL_SECONDS * 1000)
        const { done, value } = await this.#deadlines.inTime(reader.read(), timeoutMs)
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

/** Checks all deadlines with one timer; a timer for each would add about 10% to the cost of a create. */
class Deadlines {
  readonly #waiting = new Set<{ readonly endsAt: number; readonly expire: () => void }>()
  #timer: Timer | undefined

  /** What the work yields, unless it fails or its time is up. */
  inTime<T>(work: Promise<T>, ms: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const expire = () => reject(new BodyAbandoned('malformed_json', MESSAGES.bodyIsTooSlow(BODY_SECONDS)))
    const wait = { endsAt: performance.now() + ms, expire }
    this.#waiting.add(wait)
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
    work.then(
      value => {
        this.#waiting.delete(wait)
        resolve(value)
      },
      cause => {
        this.#waiting.delete(wait)
        reject(cutShort(cause))
      },
    )
    return promise
  }

  #sweep(): void {
    const now = performance.now()
    for (const wait of this.#waiting)
      if (wait.endsAt <= now) {
        this.#waiting.delete(wait)
        wait.expire()
      }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** The client hung up or broke the chunking: its own fault, so it is not logged as an error. */
const cutShort = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('malformed_json', MESSAGES.bodyIsCutShort, { cause })

/** Whether a client may still be sending a body that nobody reads. */
export function hasUnreadBody({ bodyUsed, headers }: Request): boolean {
  if (bodyUsed) return false
  const length = headers.get('content-length')
  return length === null ? headers.has('transfer-encoding') : length !== '0'
}

function assertMediaType(headers: Headers): void {
  const sent = headers.get('content-type')
  const type = sent === JSON_TYPE ? sent : sent?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== JSON_TYPE) throw new ApiError('unsupported_media_type')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', MESSAGES.bodyIsEncoded, {
      headers: { 'Accept-Encoding': 'identity' },
    })
}

/** The value of a JSON text, exact to the last digit. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_json', MESSAGES.bodyIsEmpty)
  try {
    return parseExactJson(decoder.decode(bytes))
  } catch (cause) {
    if (cause instanceof TooManyValues) throw invalid('body', [cause.message])
    throw new ApiError('malformed_json', undefined, { cause })
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })
