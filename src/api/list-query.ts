import { invalid, MESSAGES } from '../contract/errors.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN, MAX_QUERY_PARAMETERS } from '../contract/limits.ts'
import { LIST_PETS_QUERY } from '../contract/operations.ts'
import { MUST_BE_A_STATUS, PET_STATUSES } from '../contract/pet.ts'
import type { PageQuery } from '../store/store.ts'
import { openCursor } from './cursor.ts'

/** The query of a URL as it was sent. `new URL` would throw on some Host headers. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

type Name = keyof typeof LIST_PETS_QUERY
const NAMES = Object.keys(LIST_PETS_QUERY) as Name[]
/** One number, one spelling. */
const DECIMAL = /^[1-9]\d{0,2}$/

/** The parts of a query without escapes. Few queries have any, and decoding takes long. */
function partsOf(query: string): string[] {
  const parts = query.split('&', MAX_QUERY_PARAMETERS + 1)
  if (parts.length > MAX_QUERY_PARAMETERS)
    throw invalid('query', [`it has more than ${MAX_QUERY_PARAMETERS} parameters`])
  if (!/[%+]/.test(query)) return parts
  // After an `&`, because a leading question mark would be dropped.
  const decoded = new URLSearchParams(`&${query}`)
  return NAMES.flatMap(name => decoded.getAll(name).map(value => `${name}=${value}`))
}

const isNamed = (part: string, name: Name): boolean =>
  part.startsWith(name) && (part.length === name.length || part[name.length] === '=')

/** The page that a query asks for. Unknown parameters are ignored, and a known one may come once. An error names all that is wrong. */
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
  const limitText = sent.limit ?? String(LIMIT_DEFAULT)
  const limit = DECIMAL.test(limitText) ? Number(limitText) : Number.NaN
  const status = PET_STATUSES.find(known => known === sent.status)
  const start = cursor === undefined ? { after: 0n, status } : openCursor(cursor, cursorSecret)

  const problems = NAMES.filter(name => repeated.has(name)).map(MESSAGES.isSentTwice)
  if (!(limit >= LIMIT_MIN && limit <= LIMIT_MAX))
    problems.push(`limit must be an integer from ${LIMIT_MIN} to ${LIMIT_MAX}`)
  if (sent.status !== status) problems.push(`status ${MUST_BE_A_STATUS}`)
  else if (start && start.status !== status)
    problems.push(
      `cursor belongs to a list with ${start.status ? `status=${start.status}` : 'no status filter'}`,
    )
  if (cursor === '') problems.push('cursor must not be empty')
  else if (start === undefined) problems.push('cursor must be taken from a Link header of this service')
  if (start === undefined || problems.length > 0) throw invalid('query', problems)
  return { limit, status, after: start.after }
}
