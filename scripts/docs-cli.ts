import type { Argument, Command, Option } from 'commander'
import { program } from '../src/cli/program.ts'
import { NOTE, tableOf } from './docs-tables.ts'

/** Every command with its arguments and flags, in the order of --help. */
export function cliReference(): string {
  const root = program()
  const leaves = root.commands.flatMap(command => leavesOf(command, `petstore ${command.name()}`))
  const list = leaves.map(({ name, command }) => [`[\`${name}\`](#${anchor(name)})`, command.description()])
  return `${NOTE}
# Command line

\`petstore\` is the executable; in the project's folder \`./petstore\` is the same. Every command ends with 0 when it did what
was asked. A failure is one sentence on standard error, and an exit code other than 0.

${tableOf(['Command', 'What it does'], list)}
${leaves.map(section).join('\n')}`
}

interface Leaf {
  readonly name: string
  readonly command: Command
}

function leavesOf(command: Command, name: string): Leaf[] {
  if (command.commands.length === 0) return [{ name, command }]
  return command.commands.flatMap(child => leavesOf(child, `${name} ${child.name()}`))
}

const anchor = (name: string): string => name.replaceAll(' ', '-')

function section({ name, command }: Leaf): string {
  const inputs = [
    ...command.registeredArguments.map(argument => [`\`${argumentText(argument)}\``, about(argument)]),
    ...command.options.map(option => [`\`${option.flags}\``, about(option)]),
  ]
  const usage = [
    name,
    ...command.registeredArguments.map(argumentText),
    command.options.length > 0 && '[flags]',
  ]
  const aboutAll = command.description()
  return `## ${name}

    ${usage.filter(Boolean).join(' ')}

${aboutAll.charAt(0).toUpperCase()}${aboutAll.slice(1)}.
${inputs.length === 0 ? '' : `\n${tableOf(['Input', 'Meaning'], inputs)}`}`
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
