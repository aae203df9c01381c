import { OperatorError } from '../operator-error.ts'

/** Only an operator can decide to go on without the lost commits. */
const WENT_BACK =
  'the database has gone back to an earlier state, so confirmed animals may be missing. An operator must check it, and restart the service to go on with what is there'

/** Why the storage cannot be used. Strangers may read it, so it contains no path, address or name. */
export const TROUBLES = {
  'disk-full': 'the disk is full',
  'disk-read-only': 'the disk is read-only',
  'files-gone': 'a file of the database was removed, emptied or replaced',
  damaged: 'the database is damaged',
  locked: 'another program holds a lock on the database',
  'no-response': 'the storage does not respond in time',
  overloaded: 'it cannot keep up. Try again shortly',
  unreachable: 'the database is unreachable',
  failing: 'the storage fails; the log of the service says why',
  'part-of-copy': 'the database is part of a copy',
  standby: 'the database is refused, because its server is a standby',
  unusable: 'the database is refused, because of its settings or those of its server',
  'no-privilege': 'the database is refused, because the service lacks a privilege or an object in it',
  'other-database': 'the database is refused, because the service was started with another one',
  'used-up': 'the database is refused, because its identifiers are used up',
  pooler: 'the database is refused, because a pooler is in between that the settings do not mention',
  'older-timeline': WENT_BACK,
  'older-copy': WENT_BACK,
} as const
export type Trouble = keyof typeof TROUBLES

/** The storage cannot do it now, and did nothing. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
  readonly trouble: Trouble

  /** The cause is the error of the engine, or a text that says what is wrong although the engine would go on. */
  constructor(cause: unknown, trouble: Trouble = 'failing') {
    super('The storage is unavailable', { cause })
    this.trouble = trouble
  }
}

/** The storage did not respond, so it may or may not have stored this. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown'
  override readonly message = 'The storage did not confirm, so this may or may not have been stored'
}

/** The settings point to a database that does not exist. The command adds what to do. */
export class NoDatabase extends OperatorError {
  constructor(message: string) {
    super(message, { exit: 'missing' })
  }
}
