import { ERRORS, type ErrorCode, type ErrorKind } from './errors.ts'
import { OPERATIONS, type Operation } from './operations.ts'

export interface Explanation {
  readonly code: ErrorCode
  readonly status: number
  readonly meaning: string
  readonly remedy: string
  /** A message that comes with it. */
  readonly example: string
  /** Where the reference of a service has it. */
  readonly reference: string
  /** The operations that answer with it; none for what belongs to no operation. */
  readonly operations: readonly string[]
}

/** Everything there is to say about an error code, for the reference and for the terminal alike. */
export function explain(code: ErrorCode): Explanation {
  const { status, when, remedy, message, example = message }: ErrorKind = ERRORS[code]
  const operations = Object.entries<Operation>(OPERATIONS)
    .filter(([, operation]) => operation.errors.includes(code))
    .map(([id]) => id)
  return { code, status, meaning: when, remedy, example, reference: `/docs#errors-${code}`, operations }
}
