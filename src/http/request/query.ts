import type { z } from 'zod'
import { invalid, problemsOf } from '../../contract/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

/** The query of a URL as it was sent. `new URL` would throw on odd Host headers. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/**
 * Reads a query string by its schema: unknown parameters are ignored, a known one may come once. Where something is wrong,
 * `problemsOfRest` names what the schema cannot know.
 */
export function readQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: string,
  problemsOfRest: (sent: Record<string, string>) => string[] = () => [],
): z.output<Schema> {
  const names = Object.keys(schema.shape)
  const sent = parametersIn(query, Math.min(...names.map(name => name.length)))
  const known = names.filter(name => sent.has(name))
  const problems = known.filter(name => sent.getAll(name).length > 1).map(MESSAGES.isSentTwice)
  const values = Object.fromEntries(known.map(name => [name, sent.get(name) ?? '']))
  const result = schema.safeParse(values)
  if (!result.success) problems.push(...problemsOf(result.error))
  else if (problems.length === 0) return result.data
  throw invalid('invalid_query', 'query', [...problems, ...problemsOfRest(values)])
}

/** What is shorter than the shortest name is not a known parameter; a query can contain thousands of these. */
const parametersIn = (query: string, shortest: number): URLSearchParams =>
  // After the `&`, because a leading question mark would be dropped.
  new URLSearchParams(
    `&${query
      .split('&')
      .filter(part => part.length >= shortest)
      .join('&')}`,
  )
