import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { z } from 'zod'
import { environmentOfKey } from '../keys/api-key.ts'
import { codeOf, InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>
/** The flags that were given, by the name of their setting. */
export type Flags = { readonly [name in SettingName]?: string }
type Rows = { readonly [name in SettingName]?: Setting }
type ValueOf<Row> = Row extends Setting
  ? z.output<Row['schema']> | (Row extends { readonly fallback: string } ? never : undefined)
  : never
export type Values<Chosen extends Rows> = { readonly [name in keyof Chosen]: ValueOf<Chosen[name]> }

const MAX_FILE_BYTES = 64 * 1024

/** Read from the current folder where there is one and no other is named. */
export const ENV_FILE = 'petstore.env'

/** Set for the processes of PETSTORE_PROCESSES by the one that starts them; no setting. */
export const PROCESS_INDEX_VARIABLE = 'PETSTORE_PROCESS_INDEX'

/** The variable that names a file with the value, as orchestrators provide secrets. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

/** Takes settings from a file of NAME=value lines, so that commands have those of the service. The environment wins. */
export function readEnvFile(named: string | undefined, into: NodeJS.Dict<string> = process.env): void {
  const path = named ?? ENV_FILE
  if (named === undefined && !existsSync(path)) return
  try {
    const found = parseEnv(readFileSync(path, 'utf8'))
    for (const [name, value] of Object.entries(found)) into[name] ||= value
  } catch (cause) {
    const exit = codeOf(cause) === 'ENOENT' ? 'missing' : 'failed'
    throw new OperatorError(`The settings in ${path} cannot be read: ${messageOf(cause)}.`, { cause, exit })
  }
}

/** Reads and checks these settings. All invalid ones are named at once, without showing a value. */
export function readSettings<const Chosen extends Rows>(
  rows: Chosen,
  flags: Flags,
  variables: Variables,
): Values<Chosen> {
  const values: Partial<Record<SettingName, unknown>> = {}
  const problems: string[] = []
  for (const [name, row] of Object.entries(rows) as [SettingName, Setting][])
    try {
      const { from, text } = givenFor(name, row, flags, variables)
      const found = from === 'file' ? readSecretFile(row.variable, variables) : text
      if (found !== undefined) values[name] = checked(row, found)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      problems.push(error.message)
    }
  for (const [name, rule] of conflictsIn(values as Partial<Values<typeof SETTINGS>>)) {
    const row = rows[name]
    if (row !== undefined) problems.push(invalid(row, rule).message)
  }
  if (problems.length > 0) throw new InvalidInput(problems.join(' '))
  return Object.freeze(values) as Values<Chosen>
}

interface Given {
  readonly from: 'flag' | 'file' | 'variable' | 'default'
  /** Undefined where there is none, and where a file holds it. */
  readonly text: string | undefined
}

/** What was given for a setting. An empty variable counts as unset, as it does in shells and compose files. */
export function givenFor(
  name: SettingName,
  { variable, fallback, mayBeFile }: Setting,
  flags: Flags,
  variables: Variables = process.env,
): Given {
  const flag = flags[name]
  if (flag !== undefined) return { from: 'flag', text: flag }
  if (mayBeFile && variables[fileVariable(variable)]) return { from: 'file', text: undefined }
  const text = variables[variable]
  return text ? { from: 'variable', text } : { from: 'default', text: fallback }
}

/** Variables that look like a setting but are not: probably misspelled. */
export function unknownVariables(variables: Variables = process.env): string[] {
  const known = new Set([PROCESS_INDEX_VARIABLE])
  for (const { variable, mayBeFile } of Object.values<Setting>(SETTINGS)) {
    known.add(variable)
    if (mayBeFile) known.add(fileVariable(variable))
  }
  return Object.keys(variables).filter(name => name.startsWith('PETSTORE_') && !known.has(name))
}

export const invalid = ({ variable, flag }: Setting, rule: string): InvalidInput =>
  new InvalidInput(`${variable} (${flag.split(' ')[0]}) ${rule}.`)

function checked(row: Setting, text: string): unknown {
  const result = row.schema.safeParse(text)
  if (result.success) return result.data
  throw invalid(row, result.error.issues[0]?.message ?? 'is invalid')
}

/** Rules between settings. A setting that is invalid is missing here, so it is not reported twice. */
function* conflictsIn(values: Partial<Values<typeof SETTINGS>>): Generator<[SettingName, string]> {
  const { environment, apiKey, tlsCert, tlsKey, rehearseSunset } = values
  const keyEnvironment = apiKey && environmentOfKey(apiKey)
  if (keyEnvironment && environment && keyEnvironment !== environment)
    yield ['apiKey', `is a key for ${keyEnvironment}, but this is ${environment}`]
  if (tlsKey !== undefined && tlsCert === undefined)
    yield ['tlsCert', 'must be set too when PETSTORE_TLS_KEY is']
  if (tlsCert !== undefined && tlsKey === undefined)
    yield ['tlsKey', 'must be set too when PETSTORE_TLS_CERT is']
  // It refuses real callers.
  if (rehearseSunset && environment === 'production')
    yield ['rehearseSunset', 'must be off in production: rehearse the removal in staging']
}

/** The value that a file holds. A line break at its end is not part of it. */
function readSecretFile(variable: string, variables: Variables): string {
  const name = fileVariable(variable)
  // The path is not shown: by mistake it may be the secret itself.
  const unfit = (reason: string): InvalidInput =>
    new InvalidInput(`${name} must be the path of a file that holds the value, but it ${reason}.`)
  if (variables[variable]) throw new InvalidInput(`${variable} and ${name} are both set. Leave one out.`)
  let text: string
  try {
    const path = variables[name] ?? ''
    const about = statSync(path)
    // A pipe or a device might never end.
    if (!about.isFile()) throw unfit('is not a file')
    if (about.size > MAX_FILE_BYTES) throw unfit('is larger than 64 KiB')
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    throw unfit(error instanceof TypeError ? 'is not valid UTF-8' : `cannot be read (${codeOf(error)})`)
  }
  const [value, ...rest] = text.split(/\r?\n/)
  if (!value) throw unfit('is empty')
  if (rest.join('') !== '') throw unfit('has more than one line')
  return value
}
