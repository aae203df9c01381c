import { fileVariable } from './secret-file.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

export type Origin = 'flag' | 'file' | 'variable' | 'default'

/** Where a setting's value comes from. An empty variable counts as unset, as it does in shells and compose files. */
export function originOf(
  name: SettingName,
  { variable, mayBeFile }: Setting,
  flags: { readonly [name in SettingName]?: string },
  variables: Variables,
): Origin {
  if (flags[name] !== undefined) return 'flag'
  if (mayBeFile && variables[fileVariable(variable)]) return 'file'
  return variables[variable] ? 'variable' : 'default'
}

/** Every variable that is read. */
export const knownVariables = (): string[] =>
  Object.values<Setting>(SETTINGS).flatMap(({ variable, mayBeFile }) =>
    mayBeFile ? [variable, fileVariable(variable)] : [variable],
  )

/** What looks like a setting and is none. */
export function unknownVariables(variables: Variables = process.env): string[] {
  const known = new Set(knownVariables())
  return Object.keys(variables).filter(name => name.startsWith('PETSTORE_') && !known.has(name))
}

/** npx tells what it runs, and all that is started below. */
export const isRunByNpx = (variables: Variables = process.env): boolean =>
  variables.npm_lifecycle_event === 'npx' && /^['"]?petstore\b/.test(variables.npm_lifecycle_script ?? '')
