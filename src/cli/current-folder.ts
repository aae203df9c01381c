import { OperatorError } from '../operator-error.ts'

/** In a folder that was removed, the runtime would take relative paths to be in one of its own. */
export function assertCurrentFolder(): void {
  try {
    process.cwd()
  } catch (error) {
    throw new OperatorError('The current folder was removed. Change to another one.', {
      cause: error,
      exit: 'missing',
    })
  }
}
