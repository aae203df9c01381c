import type { z } from 'zod'
import { invalid } from '../../contract/validate.ts'

/** Reads a query string by its schema: unknown parameters are ignored, a known one may come once. */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, query: string): z.output<Schema> {
  const sent = new URLSearchParams(query)
  const known = Object.keys(schema.shape).filter(name => sent.has(name))
  const problems = known.filter(name => sent.getAll(name).length > 1).map(name => `${name} must be sent once`)
  const result = schema.safeParse(Object.fromEntries(known.map(name => [name, sent.get(name)])))
  if (!result.success)
    problems.push(...result.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`))
  else if (problems.length === 0) return result.data
  throw invalid('invalid_query', 'query', problems)
}
