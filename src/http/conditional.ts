import { type Answer, JSON_TYPE } from './answer.ts'

const REVALIDATE = 'private, no-cache'
const utf8 = new TextEncoder()

/** An answer that may be asked for again: the 200, and the 304 that stands for it. */
export interface Representation {
  readonly etag: string
  readonly full: Answer
  readonly notModified: Answer
}

export function representation(json: string, headers: Readonly<Record<string, string>>): Representation {
  const body = utf8.encode(json)
  // A page that gains a follower keeps its bytes but not its meaning, so the link counts too.
  const etag = `"${Bun.hash(body, Bun.hash(headers.Link ?? '')).toString(36)}"`
  const validators = { ...headers, ETag: etag, 'Cache-Control': REVALIDATE }
  return {
    etag,
    full: { status: 200, headers: new Headers({ 'Content-Type': JSON_TYPE, ...validators }), body },
    notModified: { status: 304, headers: new Headers(validators), body: null },
  }
}

export const conditionalAnswer = (request: Request, { etag, full, notModified }: Representation): Answer =>
  isKnown(request.headers.get('if-none-match'), etag) ? notModified : full

/** If-None-Match compares weakly: a `W/` in front does not matter. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
