#!/usr/bin/env bun
import { program } from './cli/program.ts'
import { PetstoreError } from './contract/errors.ts'
import { OperatorError } from './operator-error.ts'

try {
  await program().parseAsync()
  process.exit(0)
} catch (error) {
  process.stderr.write(`petstore: ${explain(error)}
`)
  process.exit(error instanceof OperatorError ? error.exitCode : 1)
}

/** One sentence where the cause is outside of the program; everything there is where it is a fault of ours. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof PetstoreError) return `${error.message} (${error.cause ?? error.code})`
  return Bun.inspect(error)
}
