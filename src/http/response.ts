import { type ApiError, ERRORS, type ErrorKind } from '../contract/errors.ts'

export type HeaderValues = Readonly<Record<string, string>>
export type Body = string | Uint8Array | null

export const JSON_TYPE = 'application/json'

/** A response before the headers of its request are set. */
export interface ResponseDraft extends Own {
  readonly head: Head
}

/** What differs between responses with the same head. */
interface Own {
  readonly body: Body
  readonly etag?: string | undefined
  readonly link?: string | undefined
  readonly location?: string | undefined
}

/** Status and headers that many responses share. */
export class Head {
  readonly status: number
  /** Copied for each response, with its own headers set first: building them anew would take longer than the rest of a read. */
  readonly #template: Response
  /** The response before, whose own headers the template still has. */
  #last: Own = { body: null }
  #always: HeaderValues | undefined

  constructor(status: number, headers: HeaderValues) {
    this.status = status
    this.#template = new Response(null, { status, headers })
  }

  /** With headers that every response of the endpoint has: they are the same each time, so the template keeps them. */
  respond(own: Own, requestId: string, always?: HeaderValues): Response {
    const { headers } = this.#template
    if (always !== this.#always) setAll(headers, always)
    this.#always = always
    headers.set('X-Request-Id', requestId)
    const last = this.#last
    this.#last = own
    if (own.etag !== last.etag) setOrDelete(headers, 'ETag', own.etag)
    if (own.link !== last.link) setOrDelete(headers, 'Link', own.link)
    if (own.location !== last.location) setOrDelete(headers, 'Location', own.location)
    return new Response(own.body, this.#template)
  }
}

export function setAll(headers: Headers, values: HeaderValues | undefined): void {
  for (const name in values) headers.set(name, values[name] as string)
}

function setOrDelete(headers: Headers, name: string, value: string | undefined): void {
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
}

export const draftOf = (status: number, headers: HeaderValues, body: Body): ResponseDraft => ({
  head: new Head(status, headers),
  body,
})

export const jsonDraft = (status: number, body: string, headers: HeaderValues = {}): ResponseDraft =>
  draftOf(status, { 'Content-Type': JSON_TYPE, ...headers }, body)

/** The only place that renders an error body. */
export function errorDraft({ code, message, headers: own }: ApiError): ResponseDraft {
  const { status, headers = {} }: ErrorKind = ERRORS[code]
  const body = JSON.stringify({ code, message, status })
  const usual = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.replace('{message}', () => message)]] : [],
  )
  return jsonDraft(status, body, { 'Cache-Control': 'no-store', ...Object.fromEntries(usual), ...own })
}
