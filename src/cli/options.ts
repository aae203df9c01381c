import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Flags } from '../config/load.ts'
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts'
import { parseInt64 } from '../contract/int64.ts'

/** Options as commander parsed them. */
export type Options = Readonly<Record<string, unknown>>

export const withJson = (command: Command): Command => command.option('--json', 'print JSON, for scripts')

export const withYes = (command: Command): Command => command.option('--yes', 'do not ask for confirmation')

/** Parses an identifier in an argument or a flag. */
export function int64(text: string): bigint {
  const value = parseInt64(text)
  if (value === undefined) throw new InvalidArgumentError('It must be an int64 in plain decimal form.')
  return value
}

/** Adds the flags of these settings to a command. The configuration handles values and defaults. */
export function withSettings(command: Command, rows: { readonly [name in SettingName]?: Setting }): Command {
  for (const { variable, flag, about, fallback } of Object.values(rows))
    command.option(flag, `${about} (${variable}${fallback === undefined ? '' : `, default ${fallback}`})`)
  return command
}

/** The given flags, by setting. */
export function flagsOf(options: Options): Flags {
  const flags: Partial<Record<SettingName, string>> = {}
  for (const [name, { flag }] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    const value = options[new Option(flag).attributeName()]
    if (typeof value === 'string') flags[name] = value
  }
  return flags
}
