import { OPERATIONS, type Operation, type OperationId } from './operations.ts'

export interface Deprecation {
  readonly operation: OperationId
  readonly since: Date
  readonly sunset: Date
  readonly replacement: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The operations that are to be removed. */
export const deprecations = (): Deprecation[] =>
  (Object.entries(OPERATIONS) as [OperationId, Operation][]).flatMap(([operation, { deprecated }]) =>
    deprecated === undefined ? [] : [{ operation, ...deprecated }],
  )

/** Whole days until a date; the last one counts, and after it there are none. */
export const daysUntil = (date: Date, now: Date): number =>
  Math.max(0, Math.ceil((date.getTime() - now.getTime()) / DAY_MS))
