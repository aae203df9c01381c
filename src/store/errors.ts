import { OperatorError } from '../operator-error.ts'

/** The storage cannot do it now, and did nothing. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'

  constructor(cause: unknown) {
    super('The storage is unavailable', { cause })
  }
}

/** The storage has lost commits that this service has seen. Only an operator can decide to go on without them. */
export class StorageWentBack extends StorageUnavailable {
  override readonly name = 'StorageWentBack'
}

/** The storage did not respond, so it may or may not have stored this. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown'
  override readonly message = 'The storage did not confirm, so this may or may not have been stored'
}

/** The storage cannot store this soon, because it is slow or too many wait, and was not given it. */
export class NotStoredInTime extends StorageUnavailable {
  override readonly name = 'NotStoredInTime'
}

/** The settings point to a database that does not exist. The command adds what to do. */
export class NoDatabase extends OperatorError {
  constructor(message: string) {
    super(message, { exit: 'missing' })
  }
}
