/** Something the operator must mend. The message is the one sentence they read; the command then ends with an exit code. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
