import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { listIn } from './endpoint.ts'
import { Head, type HeaderValues, JSON_TYPE, type ResponseDraft } from './response.ts'

/** The heads of one kind of representation, with and without a body. */
interface Heads {
  readonly full: Head
  readonly notModified: Head
}

/** A response that a client may revalidate. Pages and animals never change, so their bytes are kept. */
export interface Representation {
  readonly heads: Heads
  readonly body: Uint8Array
  readonly etag: string
  readonly link?: string | undefined
}

function headsOf(headers: HeaderValues): Heads {
  const { 'Content-Type': _, 'Content-Encoding': __, ...bare } = headers
  return { full: new Head(200, headers), notModified: new Head(304, bare) }
}

export const jsonHeads = (): Heads => headsOf({ 'Content-Type': JSON_TYPE, 'Cache-Control': REVALIDATE })

const encoder = new TextEncoder()

/** The tag covers the link: when a page gains a next page, its bytes stay the same, but its meaning changes. */
export function representation(heads: Heads, json: string | Uint8Array, link?: string): Representation {
  const etag = `"${Bun.hash(json, link === undefined ? 0n : Bun.hash(link)).toString(36)}"`
  return { heads, body: typeof json === 'string' ? encoder.encode(json) : json, etag, link }
}

/** The representation, or a 304 for a caller that has it. If-Unmodified-Since has no date to be compared with (RFC 9110). */
export function conditional(headers: Headers, { heads, body, etag, link }: Representation): ResponseDraft {
  const wanted = headers.get('if-match')
  if (wanted !== null && !matches(wanted, etag, 'strongly')) throw new ApiError('precondition_failed')
  const known = headers.get('if-none-match')
  return known !== null && matches(known, etag, 'weakly')
    ? { head: heads.notModified, body: null, etag, link }
    : { head: heads.full, body, etag, link }
}

/** Whether a list of entity tags contains this one (RFC 9110 8.8.3). A weak tag matches nothing strongly. */
function matches(list: string, etag: string, how: 'strongly' | 'weakly'): boolean {
  // No tag contains a quote, so wherever this one is found, quotes included, it is a whole tag.
  const tags = how === 'weakly' ? list : list.replaceAll(`W/${etag}`, '')
  return list === '*' || tags.includes(etag)
}

/** Bytes that stay the same while the service runs. */
export const fileOf = (
  body: Uint8Array,
  headers: HeaderValues,
  etag = `"${Bun.hash(body).toString(36)}"`,
): Representation => ({ heads: headsOf(headers), body, etag })

/** Whether the client accepts gzip (RFC 9110 12.5.3). The lowest weight of a coding counts, and a malformed one is none. */
function acceptsGzip(headers: Headers): boolean {
  const weights = new Map<string, number>()
  for (const item of listIn(headers, 'accept-encoding')) {
    const [coding = '', weight = 'q=1'] = item.split(/\s*;\s*/)
    weights.set(coding, Math.min(weights.get(coding) ?? 1, Number(weight.replace('q=', ''))))
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** A file as it is, and compressed. */
export interface Forms {
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

/** What is sent plain or compressed, as the client accepts. Each form has its own tag. */
export interface Encoded {
  readonly plain: Representation
  readonly compressed: Representation
}

export function encoded({ plain, gzip }: Forms, headers: HeaderValues): Encoded {
  const hash = Bun.hash(plain).toString(36)
  const all = { ...headers, Vary: 'Accept-Encoding' }
  return {
    plain: fileOf(plain, all, `"${hash}"`),
    compressed: fileOf(gzip, { ...all, 'Content-Encoding': 'gzip' }, `"${hash}-gzip"`),
  }
}

export const negotiated = ({ headers }: Request, known: Encoded): ResponseDraft =>
  conditional(headers, acceptsGzip(headers) ? known.compressed : known.plain)
