import type { Argument, Option } from 'commander'
import { leavesIn, type NamedCommand } from '../../src/cli/help/command-tree.ts'
import { examplesOf } from '../../src/cli/help/examples.ts'
import { program } from '../../src/cli/program.ts'
import { EXIT_CODES } from '../../src/exit-codes.ts'
import { NOTE, sentence, tableOf } from './tables.ts'

/** Every command with its arguments and flags, in the order of --help. */
export async function cliReference(): Promise<string> {
  const leaves = leavesIn(await program())
  const list = leaves.map(({ path, command }) => [
    `[\`petstore ${path}\`](#${anchor(path)})`,
    command.description(),
  ])
  const exits = Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), sentence(meaning)])
  return `${NOTE}
# Command line

\`petstore\` is the executable; in the project's folder \`./petstore\` is the same.

A failure is one sentence on standard error that begins with \`petstore:\`, and an exit code that says of what kind it is, the
same for every command:

${tableOf(['Exit code', 'Meaning'], exits)}
With \`--json\` standard output holds one JSON document and nothing else. Whole numbers are written out to the last digit, also where
they are above 2^53; times are in UTC; what there is not is \`null\`. A failure is the same sentence on standard error, and standard
output stays empty, except that \`doctor\` and \`ready\` print what they found in any case.

${tableOf(['Command', 'What it does'], list)}
${leaves.map(section).join('\n')}`
}

const anchor = (path: string): string => `petstore-${path.replaceAll(' ', '-')}`

function section({ path, command }: NamedCommand): string {
  const name = `petstore ${path}`
  const inputs = [
    ...command.registeredArguments.map(argument => [`\`${argumentText(argument)}\``, about(argument)]),
    ...command.options.map(option => [`\`${option.flags}\``, about(option)]),
  ]
  const usage = [
    name,
    ...command.registeredArguments.map(argumentText),
    command.options.length > 0 && '[flags]',
  ]
  const examples = examplesOf(path).map(([words, purpose]) => `    petstore ${words}  # ${purpose}\n`)
  return `## ${name}

    ${usage.filter(Boolean).join(' ')}

${sentence(command.description())}
${inputs.length === 0 ? '' : `\n${tableOf(['Input', 'Meaning'], inputs)}`}
Examples:

${examples.join('')}`
}

const argumentText = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`

function about({
  description,
  argChoices,
  mandatory,
}: (Argument | Option) & { mandatory?: boolean }): string {
  const choices = argChoices ? `; one of ${argChoices.join(', ')}` : ''
  return `${description}${choices}${mandatory ? '; required' : ''}`
}
