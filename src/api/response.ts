import { constants, gzipSync } from 'node:zlib'
import { ApiError, ERRORS, type ErrorBody, type ErrorKind } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'

export type HeaderValues = Readonly<Record<string, string>>
type Body = string | Uint8Array | null

/** A response before the headers of its request are set. */
export interface ResponseDraft {
  readonly status: number
  /**
   * Status and headers, ready for the runtime: building them again costs more than the rest of a read. It may be shared, so only
   * headers that every response has are set on it, and all others on the copy that is sent.
   */
  readonly head: Response
  readonly body: Body
  readonly location?: string
}

export const JSON_TYPE = 'application/json'

export const draftOf = (status: number, headers: HeaderValues, body: Body): ResponseDraft => ({
  status,
  head: new Response(null, { status, headers }),
  body,
})

export const jsonDraft = (status: number, body: string, headers: HeaderValues = {}): ResponseDraft =>
  draftOf(status, { 'Content-Type': JSON_TYPE, ...headers }, body)

/** The only place that renders an error body. An error without one of our codes is a bug; its body has no details. */
export function errorDraft(error: unknown, more: HeaderValues = {}): ResponseDraft {
  const { code, message } = error instanceof ApiError ? error : new ApiError('internal_error')
  const { status, headers = {} }: ErrorKind = ERRORS[code]
  const body = JSON.stringify({ code, message, status } satisfies ErrorBody)
  const own = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.replace('{message}', () => message)]] : [],
  )
  return jsonDraft(status, body, { 'Cache-Control': 'no-store', ...Object.fromEntries(own), ...more })
}

/** A response that may be revalidated. */
export interface Representation {
  readonly full: ResponseDraft
  readonly etag: string
  /** Made when it is first sent. */
  notModified?: ResponseDraft
}

const utf8 = new TextEncoder()

export function representation(json: string, headers: HeaderValues = {}): Representation {
  const body = utf8.encode(json)
  // When a page gains a next page, its bytes stay the same but its meaning changes, so the link counts too.
  const etag = `"${Bun.hash(body, Bun.hash(headers.Link ?? '')).toString(36)}"`
  return withTag(etag, body, { 'Content-Type': JSON_TYPE, ...headers, 'Cache-Control': REVALIDATE })
}

const withTag = (etag: string, body: Uint8Array, headers: HeaderValues): Representation => ({
  full: draftOf(200, { ...headers, ETag: etag }, body),
  etag,
})

/** It has no headers about the body that it does not carry. */
function notModifiedOf({ full }: Representation): ResponseDraft {
  const headers = new Headers(full.head.headers)
  headers.delete('Content-Type')
  headers.delete('Content-Encoding')
  return { status: 304, head: new Response(null, { status: 304, headers }), body: null }
}

/** The representation, or a 304 for a caller that has it. If-Unmodified-Since has no date to be compared with (RFC 9110). */
export function conditional(headers: Headers, known: Representation): ResponseDraft {
  const wanted = headers.get('if-match')
  // Compares strongly, so that a weak tag matches nothing.
  if (wanted !== null && !wanted.split(',').some(tag => ['*', known.etag].includes(tag.trim())))
    throw new ApiError('precondition_failed')
  const tags = headers.get('if-none-match')
  // The header lists tags and compares weakly. Ours is a word in quotes, and nothing else in a list can contain it.
  if (tags === null || !(tags.includes(known.etag) || tags.trim() === '*')) return known.full
  known.notModified ??= notModifiedOf(known)
  return known.notModified
}

const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i

/** A text that is sent plain or compressed, as the client accepts. Each form has its own tag. */
export interface Encoded {
  readonly plain: Representation
  readonly compressed: Representation
}

export function encoded(text: string, headers: HeaderValues): Encoded {
  const bytes = utf8.encode(text)
  const hash = Bun.hash(bytes).toString(36)
  const all = { ...headers, Vary: 'Accept-Encoding' }
  const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  return {
    plain: withTag(`"${hash}"`, bytes, all),
    compressed: withTag(`"${hash}-gzip"`, zipped, { ...all, 'Content-Encoding': 'gzip' }),
  }
}

export const negotiated = (request: Request, known: Encoded): ResponseDraft =>
  conditional(
    request.headers,
    ACCEPTS_GZIP.test(request.headers.get('accept-encoding') ?? '') ? known.compressed : known.plain,
  )
