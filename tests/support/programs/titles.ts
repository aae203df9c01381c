import type { Need } from './list.ts'

/** Why a test is skipped stands in its title: the report of Bun has no other place for it. */
export const needing = (missing: readonly Need[]): string => ` [needs ${missing.join(', ')}]`

/** The needs that a title names. */
export const needsIn = (title: string): string[] | undefined =>
  / \[needs ([\w, -]+)\]/.exec(title)?.[1]?.split(', ')
