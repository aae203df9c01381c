/** How long a write may take. */
export interface Patience {
  /** The wait for another process that is writing. */
  readonly lockMs: number
  /** From the call to the answer, whatever the disk does. */
  readonly deadlineMs: number
}

/** An answer is due within 5 seconds. */
export const OF_A_SERVICE: Patience = { lockMs: 2000, deadlineMs: 4000 }
/** A person waits for it, and would only try again. */
export const OF_A_COMMAND: Patience = { lockMs: 8000, deadlineMs: 10_000 }
