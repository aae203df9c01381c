/** How long the storage may take. */
export interface Patience {
  /** The wait for another process that holds the write lock. */
  readonly lockMs: number
  /** From the call to its result, even if the disk hangs. */
  readonly deadlineMs: number
}

/** A service must respond within 5 seconds; a command can wait longer. */
export const PATIENCE = {
  service: { lockMs: 2000, deadlineMs: 4000 },
  command: { lockMs: 8000, deadlineMs: 10_000 },
} as const satisfies Record<string, Patience>

export type Caller = keyof typeof PATIENCE
