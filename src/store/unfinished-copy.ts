import { commandName } from '../command-name.ts'
import { OperatorError } from '../operator-error.ts'

/** The row of `meta` that marks the target until the copy is complete; its value names the source. */
export const UNFINISHED_COPY = 'copy_in_progress'

export const unfinishedCopy = (database: string, source: string): OperatorError =>
  new OperatorError(
    `${database} holds an unfinished copy of ${source}. Run the same "${commandName()} copy" again to finish it.`,
  )

export const targetNotEmpty = (database: string): OperatorError =>
  new OperatorError(`${database} is not empty. A copy goes only into an empty database; it was not changed.`)

export const targetInUse = (database: string, cause: unknown): OperatorError =>
  new OperatorError(
    `${database} is in use. Stop the service or the other copy that works on it, and try again.`,
    { cause, exit: 'unavailable' },
  )

export const sourceTooOld = (database: string): OperatorError =>
  new OperatorError(
    `${database} was written by an older release. Start this release on it once to upgrade it, then copy it.`,
  )
