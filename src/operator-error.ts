import type { Exit } from './exit-codes.ts'

/** Something the operator must fix. The message is the one sentence they read; the command then ends in the way `exit` names. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly exit: Exit

  constructor(message: string, { exit = 'failed', ...options }: ErrorOptions & { exit?: Exit } = {}) {
    super(message, options)
    this.exit = exit
  }
}
