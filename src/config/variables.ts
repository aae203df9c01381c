import { SETTINGS, type Setting, type SettingName } from './settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** The variable that names a file with the value, as orchestrators provide secrets. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

interface Given {
  readonly from: 'flag' | 'file' | 'variable' | 'default'
  /** Undefined where there is none, and where a file holds it. */
  readonly text: string | undefined
}

/** What was given for a setting. An empty variable counts as unset, as it does in shells and compose files. */
export function givenFor(
  name: SettingName,
  { variable, fallback, mayBeFile }: Setting,
  flags: { readonly [name in SettingName]?: string },
  variables: Variables = process.env,
): Given {
  const flag = flags[name]
  if (flag !== undefined) return { from: 'flag', text: flag }
  if (mayBeFile && variables[fileVariable(variable)]) return { from: 'file', text: undefined }
  const text = variables[variable]
  return text ? { from: 'variable', text } : { from: 'default', text: fallback }
}

/** Every variable that is read. */
export const knownVariables = (): string[] =>
  Object.values<Setting>(SETTINGS).flatMap(({ variable, mayBeFile }) =>
    mayBeFile ? [variable, fileVariable(variable)] : [variable],
  )

/** Variables that look like a setting but are not. */
export function unknownVariables(variables: Variables = process.env): string[] {
  const known = new Set(knownVariables())
  return Object.keys(variables).filter(name => name.startsWith('PETSTORE_') && !known.has(name))
}

/** npx sets these for what it runs, and for everything that starts below it. */
export const isRunByNpx = (variables: Variables = process.env): boolean =>
  variables.npm_lifecycle_event === 'npx' && /^['"]?petstore\b/.test(variables.npm_lifecycle_script ?? '')
