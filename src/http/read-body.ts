import { PetstoreError } from '../contract/errors.ts'
import { parseExactJson } from '../contract/exact-json.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { TooDeep } from '../contract/outline.ts'
import { INT64_FIELDS } from '../contract/pet.ts'
import { invalid } from '../contract/validate.ts'
import { JSON_TYPE } from './answer.ts'
import { Deadlines } from './deadlines.ts'

/** Each byte puts off the runtime's own timeout, so a whole body needs a deadline of ours. */
const BODY_SECONDS = 10
const deadlines = new Deadlines(BODY_SECONDS * 1000)
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A body that nobody waits for any longer, so its connection ends too. */
export class BodyAbandoned extends PetstoreError {}

/** The bytes of a body that is said to be JSON. */
export function readJsonBody(request: Request): Promise<Uint8Array> {
  const { headers } = request
  const length = headers.get('content-length')
  const declared = length === null ? undefined : Number(length)
  if (declared !== undefined && declared > MAX_BODY_BYTES) throw tooLarge()
  if (declared !== 0 && (declared !== undefined || headers.has('transfer-encoding'))) assertMediaType(headers)
  return receive(request, declared !== undefined)
}

/** The value of a JSON text, exact to the last digit. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0)
    throw new PetstoreError('malformed_json', 'The body is empty. Send one JSON object.')
  try {
    return parseExactJson(utf8.decode(bytes), INT64_FIELDS)
  } catch (cause) {
    if (cause instanceof TooDeep) throw invalid('invalid_body', 'body', [cause.message])
    throw new PetstoreError('malformed_json', undefined, { cause })
  }
}

function assertMediaType(headers: Headers): void {
  const sent = headers.get('content-type')
  const type = sent === JSON_TYPE ? sent : sent?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== JSON_TYPE) throw new PetstoreError('unsupported_media_type')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new PetstoreError('unsupported_media_type', 'The body must be sent without a Content-Encoding.')
}

/** The bytes of a body, within its limits of size and time. */
export function receive(request: Request, isLengthKnown: boolean): Promise<Uint8Array> {
  // Without a declared length the bytes have to be counted as they come.
  const bytes = isLengthKnown ? request.bytes() : readCounting(request.body)
  return deadlines.within(bytes, { tooLate: tooSlow, failed: cutShort })
}

async function readCounting(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of body ?? []) {
    total += chunk.length
    if (total > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): PetstoreError =>
  new PetstoreError('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`)

/** The caller hung up or broke the chunking: their fault, and no reason to wake anyone. */
const cutShort = (cause: unknown): PetstoreError =>
  cause instanceof PetstoreError
    ? cause
    : new PetstoreError('malformed_json', 'The body ended before it was complete.', { cause })

const tooSlow = (): PetstoreError =>
  new BodyAbandoned('malformed_json', `The body did not arrive within ${BODY_SECONDS} seconds.`)
