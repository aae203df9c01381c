import type { Need } from './list.ts'

/** Puts the reason for a skip into the title, because Bun's report has no other place for it. */
export const needing = (missing: readonly Need[]): string => ` [needs ${missing.join(', ')}]`

export const needsIn = (title: string): string[] | undefined =>
  / \[needs ([\w, -]+)\]/.exec(title)?.[1]?.split(', ')
