import { invalid } from '../contract/errors.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN, MAX_QUERY_PARAMETERS } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import { LIST_PETS_QUERY } from '../contract/operations.ts'
import { PET_STATUSES } from '../contract/pet.ts'
import type { PageQuery } from '../store/store.ts'
import { openCursor } from './cursor.ts'

/** Characters of a host name or address, and of a port (RFC 3986 3.2.2). A name has at most 253, and a port 5. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]{0,259}$/

/** To be checked before anything reads the request's URL, because the runtime parses the Host for it, which may take long. */
export const hasValidHost = ({ headers }: Request): boolean => HOST.test(headers.get('host') ?? '')

/** Letters, digits and `-._~`, escaped: the same path as without (RFC 3986 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[0-9AF]|7[0-9AE])/gi

/** Any path of a route is shorter, even with every character escaped, so the rest of a longer path is not read. */
const LONGEST_PATH = 512

/** Not decodeURIComponent, which takes ten times as long for each. */
const unescaped = (escaped: string): string => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))

/** The beginning of a URL's path without needless escapes. With an odd Host header the URL is a path alone. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const [escaped = ''] = url.slice(start, start + LONGEST_PATH).split('?', 1)
  return escaped.replaceAll(ESCAPED_UNRESERVED, unescaped)
}

/** The query of a URL as it was sent. `new URL` would throw on odd Host headers. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

type Name = keyof typeof LIST_PETS_QUERY
const NAMES = Object.keys(LIST_PETS_QUERY) as Name[]

/** The parts of a query without escapes. Few queries have any, and decoding takes long. */
function partsOf(query: string): string[] {
  const parts = query.split('&', MAX_QUERY_PARAMETERS + 1)
  if (parts.length > MAX_QUERY_PARAMETERS) throw invalid('query', [MESSAGES.tooManyParameters])
  if (!/[%+]/.test(query)) return parts
  // After an `&`, because a leading question mark would be dropped.
  const decoded = new URLSearchParams(`&${query}`)
  return NAMES.flatMap(name => decoded.getAll(name).map(value => `${name}=${value}`))
}

const isNamed = (part: string, name: Name): boolean =>
  part.startsWith(name) && (part.length === name.length || part[name.length] === '=')

/** One number, one spelling. */
const DECIMAL = /^[1-9]\d{0,2}$/

/** The page that a query asks for: unknown parameters are ignored, a known one may come once. Names all that is wrong. */
export function readListQuery(query: string, cursorSecret: string): PageQuery {
  const sent: Record<Name, string | undefined> = { limit: undefined, status: undefined, cursor: undefined }
  const repeated = new Set<Name>()
  for (const part of partsOf(query)) {
    const name = NAMES.find(known => isNamed(part, known))
    if (name === undefined) continue
    if (sent[name] === undefined) sent[name] = part.slice(name.length + 1)
    else repeated.add(name)
  }
  const { cursor } = sent
  const limit = sent.limit === undefined ? LIMIT_DEFAULT : Number(sent.limit)
  const status = PET_STATUSES.find(known => known === sent.status)
  const start = cursor === undefined ? { after: 0n, status } : openCursor(cursor, cursorSecret)
  const problems = NAMES.filter(name => repeated.has(name)).map(MESSAGES.isSentTwice)
  if (sent.limit !== undefined && !(DECIMAL.test(sent.limit) && limit >= LIMIT_MIN && limit <= LIMIT_MAX))
    problems.push(`limit ${MESSAGES.mustBeInteger(LIMIT_MIN, LIMIT_MAX)}`)
  if (sent.status !== status) problems.push(`status ${MESSAGES.mustBeOneOf(PET_STATUSES)}`)
  else if (start && start.status !== status) problems.push(MESSAGES.cursorIsOfAnotherList(start.status))
  if (cursor === '') problems.push('cursor must not be empty')
  else if (start === undefined) problems.push(MESSAGES.cursorIsNotOurs)
  if (start === undefined || problems.length > 0) throw invalid('query', problems)
  return { limit, status, after: start.after }
}
