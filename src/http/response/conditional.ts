import { REVALIDATE } from '../../contract/headers.ts'
import { type Answer, JSON_TYPE, keptAnswer } from '../answer.ts'
import type { HeaderValues } from './kept-headers.ts'

const utf8 = new TextEncoder()

/** An answer that may be revalidated, with the headers of its 304. */
export interface Representation {
  readonly full: Answer
  readonly validators: HeaderValues & { readonly ETag: string }
}

export function representation(json: string, headers: HeaderValues): Representation {
  const body = utf8.encode(json)
  // When a page gains a next page, its bytes stay the same but its meaning changes, so the link counts too.
  const etag = `"${Bun.hash(body, Bun.hash(headers.Link ?? '')).toString(36)}"`
  const validators = { ...headers, ETag: etag, 'Cache-Control': REVALIDATE }
  return {
    full: keptAnswer(200, { 'Content-Type': JSON_TYPE, ...validators }, body),
    validators,
  }
}

/** The representation, or a 304 for a caller that has it. */
export function conditionalAnswer(request: Request, { full, validators }: Representation): Answer {
  if (!isKnown(request.headers.get('if-none-match'), validators.ETag)) return full
  return { status: 304, headers: validators, body: null }
}

/** If-None-Match lists tags and compares weakly. Ours is a word in quotes, and nothing else in a list can contain it. */
const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*')
