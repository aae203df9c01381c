#!/usr/bin/env bun
import { program } from './cli/program.ts'
import { OperatorError } from './operator-error.ts'

try {
  await program().parseAsync()
  process.exit(0)
} catch (error) {
  process.stderr.write(`petstore: ${error instanceof OperatorError ? error.message : Bun.inspect(error)}\n`)
  process.exit(error instanceof OperatorError ? error.exitCode : 1)
}
