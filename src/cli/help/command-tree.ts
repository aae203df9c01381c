import type { Command } from 'commander'

export interface NamedCommand {
  /** Its words after the program's name: `keys create`. Empty for the program itself. */
  readonly path: string
  readonly command: Command
}

/** The program, its commands and theirs, in the order of --help. */
export const commandsIn = (command: Command, path = ''): NamedCommand[] => [
  { path, command },
  ...command.commands.flatMap(child => commandsIn(child, `${path} ${child.name()}`.trim())),
]

/** Those that do something themselves. */
export const leavesIn = (root: Command): NamedCommand[] =>
  commandsIn(root).filter(({ command }) => command.commands.length === 0)
