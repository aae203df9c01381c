import { ApiError, invalid } from '../../contract/errors.ts'
import { parseExactJson, TooManyValues } from '../../contract/json.ts'
import { MAX_BODY_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { JSON_TYPE } from '../answer.ts'
import { receiveBody } from './receive-body.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body that is said to be JSON. */
export function readJsonBody(request: Request): Promise<Uint8Array> {
  const { headers } = request
  const length = headers.get('content-length')
  const declared = length === null ? undefined : Number(length)
  if (declared !== 0 && (declared !== undefined || headers.has('transfer-encoding'))) assertMediaType(headers)
  if (declared !== undefined && declared > MAX_BODY_BYTES) throw new ApiError('body_too_large')
  // The runtime takes them for the next request, and closes the connection with its own 400.
  if (headers.has('trailer')) throw new ApiError('malformed_request', MESSAGES.trailersAreNotRead)
  return receiveBody(request, declared)
}

/** The value of a JSON text, exact to the last digit. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_json', MESSAGES.bodyIsEmpty)
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch (cause) {
    if (cause instanceof TooManyValues) throw invalid('invalid_body', 'body', [cause.message])
    throw new ApiError('malformed_json', undefined, { cause })
  }
}

function assertMediaType(headers: Headers): void {
  const sent = headers.get('content-type')
  const type = sent === JSON_TYPE ? sent : sent?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== JSON_TYPE) throw new ApiError('unsupported_media_type')
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', MESSAGES.bodyIsEncoded)
}
