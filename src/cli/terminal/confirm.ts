import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { InvalidInput, OperatorError } from '../../operator-error.ts'

const STDIN = 0
const STDERR = 2

/** A step that cannot be undone, described in a sentence, and whether --yes was given. */
export interface Step {
  readonly warning: string
  readonly yes: boolean
}

export const withYes = (command: Command): Command => command.option('--yes', 'do not ask for confirmation')

/** Refuses before the work what could not be confirmed after it. */
export function assertConfirmable({ warning, yes }: Step, canAsk = isatty(STDIN) && isatty(STDERR)): void {
  if (yes || canAsk) return
  throw new InvalidInput(`${warning} There is no terminal to ask; --yes confirms it.`)
}

/** Continues with --yes, or after confirmation at the terminal. */
export async function confirm(step: Step): Promise<void> {
  assertConfirmable(step)
  if (step.yes) return
  process.stderr.write(`${step.warning} Go on? [y/N] `)
  if (/^\s*y(es)?\s*$/i.test(await lineFromTerminal())) return
  throw new OperatorError('Nothing was changed.')
}

async function lineFromTerminal(): Promise<string> {
  for await (const line of console) return line
  // Ctrl-D leaves the cursor behind the question.
  process.stderr.write('\n')
  return ''
}
