/** How long the storage may take. */
export interface Patience {
  /** The wait for another process that is writing. */
  readonly lockMs: number
  /** From the call to the answer, whatever the disk does. */
  readonly deadlineMs: number
}

/** Requests of a service are to be answered within 5 seconds; a person who runs a command can wait longer. */
export const PATIENCE = {
  service: { lockMs: 2000, deadlineMs: 4000 },
  command: { lockMs: 8000, deadlineMs: 10_000 },
} as const satisfies Record<string, Patience>

export type Caller = keyof typeof PATIENCE
