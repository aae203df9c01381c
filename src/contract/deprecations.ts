import { OPERATIONS, type Operation, type OperationId } from './operations.ts'

export interface DeprecatedOperation {
  readonly operation: OperationId
  readonly since: Date
  readonly sunset: Date
  readonly replacement: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The deprecated operations. */
export const deprecations = (): DeprecatedOperation[] =>
  (Object.entries(OPERATIONS) as [OperationId, Operation][]).flatMap(([operation, { deprecated }]) =>
    deprecated === undefined ? [] : [{ operation, ...deprecated }],
  )

export const dayOf = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What to use instead, in Markdown. */
export const replacementOf = ({ replacement }: Pick<DeprecatedOperation, 'replacement'>): string =>
  replacement.replace('GET /pets', '`GET /pets`').replace('status', '`status`')

export const noticeOf = (deprecated: Omit<DeprecatedOperation, 'operation'>): string =>
  `Deprecated: removal is scheduled for ${dayOf(deprecated.sunset)}. Use ${replacementOf(deprecated)} instead.`

/** Whole days until a date; the last one counts, and after it there are none. */
export const daysUntil = (date: Date, now: Date): number =>
  Math.max(0, Math.ceil((date.getTime() - now.getTime()) / DAY_MS))
