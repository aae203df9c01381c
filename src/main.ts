import { CommanderError } from 'commander'
import { program } from './cli/program.ts'
import { withoutKeys } from './keys/api-key.ts'
import {
  EXIT_CODES,
  type Exit,
  exitOf,
  explained,
  isSystemError,
  OperatorError,
  plainReason,
} from './operator-error.ts'
import { StorageUnavailable } from './store/errors.ts'

try {
  // In a removed folder, the runtime would resolve relative paths against one of its own.
  explained(
    () => 'The current folder was removed. Change to another one.',
    () => process.cwd(),
  )
  const given = process.argv.slice(2)
  // The parser knows "keys help create", but not "help keys create".
  const words = given[0] === 'help' ? [...given.slice(1, -1), 'help', ...given.slice(1).slice(-1)] : given
  const root = await program(words[0])
  await root.parseAsync(words, { from: 'user' })
  end('done')
} catch (failure) {
  // If the storage is unavailable for a reason that an operator can remove, that reason is shown.
  const hasReason = failure instanceof StorageUnavailable && failure.cause instanceof OperatorError
  const error = hasReason ? failure.cause : failure
  // commander has already printed the error or the help.
  if (error instanceof CommanderError) end(error.exitCode === 0 ? 'done' : 'invalid')
  process.stderr.write(`petstore: ${withoutKeys(explain(error))}\n`)
  end(exitCodeOf(error))
}

function end(exit: Exit): never {
  process.exit(EXIT_CODES[exit].code)
}

function exitCodeOf(error: unknown): Exit {
  if (error instanceof OperatorError) return error.exit
  return error instanceof StorageUnavailable ? 'unavailable' : exitOf(error)
}

/** One line if the cause is outside the program; all details if it is a bug. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof StorageUnavailable) return `${error.message} (${plainReason(error.cause)}).`
  return isSystemError(error) ? `${plainReason(error)}.` : Bun.inspect(error)
}
