import { Argument, type Command } from 'commander'
import { print } from '../terminal/output.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { type Words, wordsOf } from './words.ts'
import { zshCompletion } from './zsh.ts'

const SHELLS: Readonly<Record<string, (all: readonly Words[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands, flags and values')
    .addArgument(new Argument('<shell>', 'the shell to print it for').choices(Object.keys(SHELLS)))
    .action((shell: string) => print(SHELLS[shell]?.(wordsOf(program)) ?? ''))
}
