import type { z } from 'zod'
import { ApiError, type ErrorCode } from './errors.ts'
import { MESSAGES } from './messages.ts'

/** Checks input against a schema; on failure names every invalid field in one message. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  code: ErrorCode,
  subject: 'body' | 'query',
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(code, subject, problemsOf(result.error))
}

/** Every invalid field and what is wrong with it. */
export const problemsOf = (error: z.core.$ZodError): string[] => error.issues.map(describe)

export const invalid = (code: ErrorCode, subject: 'body' | 'query', problems: readonly string[]): ApiError =>
  new ApiError(code, MESSAGES.invalid(subject, problems))

const describe = (issue: z.core.$ZodIssue): string =>
  issue.path.length === 0 ? `it ${issue.message}` : `${issue.path.join('.')} ${issue.message}`
