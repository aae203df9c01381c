import type { Argument, Option } from 'commander'
import { examplesOf, leavesIn, type NamedCommand } from '../../src/cli/help.ts'
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

\`petstore\` is the executable; in the project folder, use \`./petstore\`.

An error is one sentence on standard error that begins with \`petstore:\`, and an exit code that is the same for every command:

${tableOf(['Exit code', 'Meaning'], exits)}
With \`--json\`, standard output is one JSON document; \`pets list\` prints one for each animal, on its own line. Integers are exact,
even above 2^53; times are in UTC; missing values are \`null\`. An error is the same sentence on standard error, and standard
output stays empty, except that \`doctor\` and \`ready\` always print what they found.

${tableOf(['Command', 'What it does'], list)}
${leaves.map(section).join('\n')}`
}

const anchor = (path: string): string => `petstore-${path.replaceAll(' ', '-')}`

function section({ path, command }: NamedCommand): string {
  const name = `petstore ${path}`
  const inputs = [
    ...command.registeredArguments.map(argument => [`\`${argumentText(argument)}\``, about(argument)]),
    ...command.options.filter(({ hidden }) => !hidden).map(option => [`\`${option.flags}\``, about(option)]),
  ]
  const usage = [
    name,
    ...command.registeredArguments.map(argumentText),
    command.options.length > 0 && '[flags]',
  ]
  const examples = examplesOf(path).map(words => `    petstore ${words}\n`)
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
