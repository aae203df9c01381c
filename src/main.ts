#!/usr/bin/env bun
import { CommanderError } from 'commander'
import { assertCurrentFolder } from './cli/current-folder.ts'
import { program } from './cli/program.ts'
import { ApiError } from './contract/errors.ts'
import { EXIT_CODES, type Exit } from './exit-codes.ts'
import { OperatorError } from './operator-error.ts'

try {
  assertCurrentFolder()
  const root = await program(process.argv[2])
  await root.parseAsync()
  end('done')
} catch (error) {
  // commander has already printed the error or the help.
  if (error instanceof CommanderError) end(error.exitCode === 0 ? 'done' : 'invalid')
  process.stderr.write(`petstore: ${explain(error)}\n`)
  end(exitOf(error))
}

function end(exit: Exit): never {
  process.exit(EXIT_CODES[exit].code)
}

function exitOf(error: unknown): Exit {
  if (error instanceof OperatorError) return error.exit
  return error instanceof ApiError && error.code === 'unavailable' ? 'unavailable' : 'failed'
}

/** One sentence if the cause is outside the program; all details if it is a bug. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof ApiError) return `${error.message} (${error.cause ?? error.code})`
  return Bun.inspect(error)
}
