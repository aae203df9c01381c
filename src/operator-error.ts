/** Something the operator must mend. The message is the one sentence they read; the command then ends with the exit code. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly exitCode: number

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}
