import { constants, gzipSync } from 'node:zlib'
import { ApiError, ERRORS, type ErrorBody, type ErrorKind } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import type { JsonText } from '../store/store.ts'

export type HeaderValues = Readonly<Record<string, string>>
type Body = string | Uint8Array | null

/** A response before the headers of its request are set. */
export interface ResponseDraft {
  readonly status: number
  /** Status and headers, ready for the runtime: to build them again costs more than the rest of a read. It may be shared. */
  readonly head: Response
  readonly body: Body
  // Set in the head before it is copied, so all responses with one head have the same of these.
  readonly etag?: string
  readonly link?: string | undefined
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

/** What the representations of one kind share, with and without a body. */
export interface Template {
  readonly full: Response
  readonly notModified: Response
}

/** A response that may be revalidated. A page and an animal never change: the bytes are kept. */
export interface Representation {
  readonly template: Template
  readonly body: Uint8Array
  readonly etag: string
  readonly link?: string | undefined
}

function templateOf(headers: HeaderValues): Template {
  const { 'Content-Type': _, 'Content-Encoding': __, ...bare } = headers
  return {
    full: new Response(null, { headers }),
    notModified: new Response(null, { status: 304, headers: bare }),
  }
}

export const jsonTemplate = (headers: HeaderValues = {}): Template =>
  templateOf({ 'Content-Type': JSON_TYPE, ...headers, 'Cache-Control': REVALIDATE })

const utf8 = new TextEncoder()

/** When a page gains a next page, its bytes stay the same but its meaning changes, so the link counts too. */
export function representation(template: Template, json: JsonText, link?: string): Representation {
  const etag = `"${Bun.hash(json, link === undefined ? 0n : Bun.hash(link)).toString(36)}"`
  return { template, body: typeof json === 'string' ? utf8.encode(json) : json, etag, link }
}

/** The representation, or a 304 for a caller that has it. If-Unmodified-Since has no date to be compared with (RFC 9110). */
export function conditional(headers: Headers, known: Representation): ResponseDraft {
  const wanted = headers.get('if-match')
  // Compares strongly, so that a weak tag matches nothing.
  if (wanted !== null && !wanted.split(',').some(tag => ['*', known.etag].includes(tag.trim())))
    throw new ApiError('precondition_failed')
  const tags = headers.get('if-none-match')
  // The header lists tags and compares weakly. Ours is a word in quotes, and nothing else in a list can contain it.
  const { template, body, etag, link } = known
  return tags !== null && (tags.includes(etag) || tags.trim() === '*')
    ? { status: 304, head: template.notModified, body: null, etag, link }
    : { status: 200, head: template.full, body, etag, link }
}

/** Bytes that stay the same while the service runs. */
export const fileOf = (
  body: Uint8Array,
  headers: HeaderValues,
  etag = `"${Bun.hash(body).toString(36)}"`,
): Representation => ({ template: templateOf(headers), body, etag })

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
    plain: fileOf(bytes, all, `"${hash}"`),
    compressed: fileOf(zipped, { ...all, 'Content-Encoding': 'gzip' }, `"${hash}-gzip"`),
  }
}

export const negotiated = (request: Request, known: Encoded): ResponseDraft =>
  conditional(
    request.headers,
    ACCEPTS_GZIP.test(request.headers.get('accept-encoding') ?? '') ? known.compressed : known.plain,
  )
