import { resolve } from 'node:path'
import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { InvalidInput, OperatorError } from '../operator-error.ts'
import { commandName } from '../this-program.ts'

/** The storage cannot do it and did nothing. */
export const unavailable = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.storageIsAway, { cause })

/** The storage did not answer, so the outcome is unknown. It may still do the work. */
export const outcomeUnknown = (cause: unknown): ApiError =>
  new ApiError('unavailable', MESSAGES.outcomeIsUnknown, { cause })

export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unavailable'

/** The settings name a database that does not exist. The command adds what to do. */
export class NoDatabase extends OperatorError {
  constructor(message: string) {
    super(message, { exit: 'missing' })
  }
}

export const noFile = (path: string): NoDatabase =>
  new NoDatabase(`There is no database at ${resolve(path)}.`)

/** It was copied: whoever still used it would work on animals and keys that no client sees. */
export const movedTo = (url: string, newLocation: string): OperatorError =>
  new InvalidInput(
    `The database ${url} was copied to ${newLocation}. Use that one, or let this one be used again: ${commandName()} copy --unmark ${url}`,
  )
