/** Exit codes, the same for all commands. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed, or stopped or declined by the user' },
  invalid: { code: 2, meaning: 'invalid command, input, setting or file, or no --yes or --force' },
  missing: { code: 3, meaning: 'an animal, a key, a database or any other file does not exist' },
  unauthorised: { code: 4, meaning: 'the API key is not accepted' },
  unavailable: { code: 5, meaning: 'no response, not ready, or in use; try again later' },
  refused: {
    code: 6,
    meaning: 'the database is damaged, misconfigured, not of this release or environment',
  },
} as const

export type Exit = keyof typeof EXIT_CODES

/** Something the operator must fix. The message is one line; `exit` selects the command's exit code. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly exit: Exit

  constructor(message: string, { exit = 'failed', ...options }: ErrorOptions & { exit?: Exit } = {}) {
    super(message, options)
    this.exit = exit
  }
}

/** The command, a setting or the input must be changed. */
export class InvalidInput extends OperatorError {
  constructor(message: string) {
    super(message, { exit: 'invalid' })
  }
}

/** Runs synchronous work. An error that is not yet an OperatorError becomes one, explained with its reason. */
export function explained<T>(explain: (reason: string) => string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw new OperatorError(explain(plainReason(cause)), { cause, exit: exitOf(cause) })
  }
}

/** Anything can be thrown; a value that is not an error is shown as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code that the system or a driver gives a failure, such as ENOENT. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** What errors of the system say about a path. */
const FAULTS: Readonly<Record<string, string>> = {
  EACCES:
    'is closed to this user, or a folder above it is. Run this as its owner, or change its owner or mode',
  EDQUOT: 'is on a disk whose quota this user has used up',
  EIO: 'is on a disk that reports errors',
  EISDIR: 'is a folder',
  ELOOP: 'is a link that leads back to itself',
  EMFILE: 'cannot be opened, because too many files are open. Raise the limit: ulimit -n',
  ENOENT: 'does not exist',
  ENOSPC: 'is on a disk without free space or inodes, see df -h and df -i',
  ENOTDIR: 'is below a file, which is not a folder',
  EROFS: 'is on a read-only disk',
}

/** Why something failed, in a clause for operators: the system's own message names no remedy. */
export function plainReason(error: unknown): string {
  const code = codeOf(error)
  const path = error instanceof Error && 'path' in error ? String(error.path) : ''
  return FAULTS[code] ? `${path || 'it'} ${FAULTS[code]} (${code})` : messageOf(error)
}

/** Faults of the machine or the network, which may pass, and not of the setting that names a file or a host. */
const PASSING =
  'EADDRINUSE EADDRNOTAVAIL EAGAIN EAI_AGAIN EBUSY EDQUOT EIO EMFILE ENFILE ENOMEM ENOSPC EROFS ESTALE'.split(
    ' ',
  )

/** The exit code if a file or a host that a setting names cannot be used. */
export function exitFor(cause: unknown): Exit {
  if (PASSING.includes(codeOf(cause))) return 'unavailable'
  return codeOf(cause) === 'ENOENT' ? 'missing' : 'invalid'
}

/** Whether the system refused a call, such as one with a path that it cannot use. */
export const isSystemError = (cause: unknown): boolean => /^E[A-Z]+$/.test(codeOf(cause))

/** The exit code of a failure of any kind. What no retry can mend must not be `failed`, with which systemd retries. */
export const exitOf = (cause: unknown): Exit => (isSystemError(cause) ? exitFor(cause) : 'failed')
