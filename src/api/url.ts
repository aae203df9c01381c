import { invalid, problemsOf } from '../contract/errors.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import { ListPetsQuery } from '../contract/operations.ts'
import { PET_STATUSES, type PetStatus } from '../contract/pet.ts'

/** Letters, digits and `-._~`, escaped: the same path as without (RFC 3986 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[0-9AF]|7[0-9AE])/gi

/** The longest path of a route, with every character escaped, is shorter; the rest is not decoded. */
const LONGEST_ESCAPED = 512

/** Not decodeURIComponent, which takes ten times as long for each. */
const unescaped = (escaped: string): string => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))

/** The path of a URL without needless escapes. With an odd Host header the URL is a path alone. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const [escaped = ''] = path.split('?', 1)
  return (
    escaped.slice(0, LONGEST_ESCAPED).replaceAll(ESCAPED_UNRESERVED, unescaped) +
    escaped.slice(LONGEST_ESCAPED)
  )
}

/** The query of a URL as it was sent. `new URL` would throw on odd Host headers. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

const SPELLED_OTHERWISE = /[%+#]/
const DECIMAL = /^[1-9]\d{0,2}$/

/** A query that is valid and has no escapes, without the schema; undefined for all others. */
export function plainListQuery(query: string): ListPetsQuery | undefined {
  if (SPELLED_OTHERWISE.test(query)) return undefined
  let limit: number | undefined
  let status: PetStatus | undefined
  let cursor: string | undefined
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = query.indexOf('&', start)
    if (end === -1) end = query.length
    const part = query.slice(start, end)
    if (part.startsWith('limit=')) {
      const text = part.slice('limit='.length)
      if (limit !== undefined || !DECIMAL.test(text)) return undefined
      limit = Number(text)
      if (limit < LIMIT_MIN || limit > LIMIT_MAX) return undefined
    } else if (part.startsWith('status=')) {
      if (status !== undefined) return undefined
      const text = part.slice('status='.length)
      status = PET_STATUSES.find(known => known === text)
      if (status === undefined) return undefined
    } else if (part.startsWith('cursor=')) {
      if (cursor !== undefined || part === 'cursor=') return undefined
      cursor = part.slice('cursor='.length)
    } else if (part === 'limit' || part === 'status' || part === 'cursor') return undefined
  }
  return { limit: limit ?? LIMIT_DEFAULT, status, cursor }
}

const NAMES = ListPetsQuery.keyof().options
const SHORTEST_NAME = Math.min(...NAMES.map(name => name.length))

/**
 * Reads a query by the schema: unknown parameters are ignored, a known one may come once. Where something is wrong,
 * `problemWithCursor` adds what the schema cannot know.
 */
export function readListQuery(
  query: string,
  problemWithCursor: (cursor: string) => string[] = () => [],
): ListPetsQuery {
  // What is shorter than the shortest name is not a known parameter; a query can contain thousands of these.
  const parts = query.split('&').filter(part => part.length >= SHORTEST_NAME)
  // After an `&`, because a leading question mark would be dropped.
  const sent = new URLSearchParams(`&${parts.join('&')}`)
  const known = NAMES.filter(name => sent.has(name))
  const problems = known.filter(name => sent.getAll(name).length > 1).map(MESSAGES.isSentTwice)
  const result = ListPetsQuery.safeParse(Object.fromEntries(known.map(name => [name, sent.get(name)])))
  if (!result.success) problems.push(...problemsOf(result.error))
  else if (problems.length === 0) return result.data
  const cursor = sent.get('cursor')
  throw invalid('query', [...problems, ...(cursor ? problemWithCursor(cursor) : [])])
}
