import type { Argument, Command, Option } from 'commander'
import { ERROR_CODES } from '../../contract/errors.ts'
import { shellQuoted } from '../../shell-quoted.ts'
import { commandsIn } from '../help/command-tree.ts'

/** What may follow a command, as far as a shell can know it. */
export interface Words {
  /** Its words after the program's name, separated by spaces; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Described[]
  readonly flags: readonly Flag[]
  readonly argument: Value
}

export interface Described {
  readonly word: string
  readonly about: string
}

export interface Flag extends Described {
  readonly value: Value
}

/** One of these words, a file name, free text, or nothing. */
export type Value = readonly string[] | 'file' | 'any' | 'none'

/** The words of every command but the program itself. */
export const pathsOf = (all: readonly Words[]): string[] => all.flatMap(({ path }) => path || [])

/** Every command with what may follow it. */
export const wordsOf = (root: Command): Words[] =>
  commandsIn(root).map(({ path, command }) => ({
    path,
    commands: command.commands.map(child => ({ word: child.name(), about: child.description() })),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).flatMap(flagOf),
      { word: '--help', about: 'display help for command', value: 'none' },
    ],
    argument: argumentOf(command.registeredArguments[0]),
  }))

const flagOf = ({ long, description, argChoices, flags }: Option): Flag[] =>
  long ? [{ word: long, about: description, value: argChoices ?? valueIn(flags) }] : []

/** What is in the angle brackets: choices as in `<on|off>`, a file or folder, or something else. */
function valueIn(text: string): Value {
  const [, inside] = /<(.+)>/.exec(text) ?? []
  if (inside === undefined) return 'none'
  if (inside.includes('|')) return inside.split('|')
  return inside === 'file' || inside === 'folder' ? 'file' : 'any'
}

function argumentOf(argument: Argument | undefined): Value {
  if (argument === undefined) return 'none'
  if (argument.name() === 'code') return ERROR_CODES
  return argument.argChoices ?? (argument.name() === 'file' ? 'file' : 'any')
}

/** For bash and zsh: a case for each flag that takes a value, after which only that value is offered. */
export const valueCases = (all: readonly Words[], offer: (value: Value) => string): string =>
  all
    .flatMap(({ path, flags }) => flags.map(flag => ({ path, ...flag })))
    .filter(({ value }) => value !== 'none')
    .map(({ path, word, value }) => `    ${shellQuoted(`${path} ${word}`)}) ${offer(value)}; return ;;`)
    .join('\n')
