import { codeOf, messageOf, OperatorError } from '../../operator-error.ts'

/** Resolves when the text is written, so that a slow reader causes backpressure and the end is not lost. */
export async function print(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text)
  } catch (cause) {
    // The reader closed the pipe, as `head` does.
    if (codeOf(cause) === 'EPIPE') process.exit(0)
    throw new OperatorError(`Standard output cannot be written: ${messageOf(cause)}.`, { cause })
  }
}
