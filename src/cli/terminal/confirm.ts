import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { OperatorError } from '../../operator-error.ts'

const STDIN = 0
const STDERR = 2

/** Something that cannot be taken back, in a sentence; and whether --yes was given. */
export interface Step {
  readonly warning: string
  readonly yes: boolean
}

export const withYes = (command: Command): Command => command.option('--yes', 'do not ask for confirmation')

/** Refuses what could not be asked later: before the work, not after it. */
export function assertConfirmable({ warning, yes }: Step, canAsk = isatty(STDIN) && isatty(STDERR)): void {
  if (yes || canAsk) return
  throw new OperatorError(`${warning} There is no terminal to ask; --yes confirms it.`, {
    exit: 'invalid',
  })
}

/** Goes on with --yes, or when a person at the terminal says so. */
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
