import { type Answer, jsonAnswer } from './answer.ts'

const REVALIDATE = 'private, no-cache'

/** A 200 with a strong validator, or the 304 that stands for it. */
export function conditionalAnswer(request: Request, body: string, headers: Record<string, string>): Answer {
  // A page that gains a follower keeps its bytes but not its meaning, so the link counts too.
  const etag = `"${Bun.hash(body + (headers.Link ?? '')).toString(36)}"`
  const validators = { ...headers, ETag: etag, 'Cache-Control': REVALIDATE }
  if (isKnown(request.headers.get('if-none-match'), etag))
    return { status: 304, headers: validators, body: null }
  return jsonAnswer(200, body, validators)
}

/** If-None-Match compares weakly: a `W/` in front does not matter. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
