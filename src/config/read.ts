import type { z } from 'zod'
import { environmentOfKey } from '../keys/api-key.ts'
import { InvalidInput, OperatorError } from '../operator-error.ts'
import { readSecretFile } from './secret-file.ts'
import type { SETTINGS, Setting, SettingName } from './settings.ts'
import { givenFor, type Variables } from './variables.ts'

/** The flags that were given, by the name of their setting. */
export type Flags = { readonly [name in SettingName]?: string }

type Rows = { readonly [name in SettingName]?: Setting }

type ValueOf<Row> = Row extends Setting
  ? z.output<Row['schema']> | (Row extends { readonly fallback: string } ? never : undefined)
  : never

export type Values<Chosen extends Rows> = { readonly [name in keyof Chosen]: ValueOf<Chosen[name]> }

/** Reads and checks only these settings. All invalid ones are named at once, without showing a value. */
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
    if (row !== undefined) problems.push(bad(row, rule).message)
  }
  if (problems.length > 0) throw new InvalidInput(problems.join(' '))
  return Object.freeze(values) as Values<Chosen>
}

export const bad = ({ variable, flag }: Setting, rule: string): OperatorError =>
  new InvalidInput(`${variable} (${flag}) ${rule}.`)

function checked(row: Setting, text: string): unknown {
  const result = row.schema.safeParse(text)
  if (result.success) return result.data
  throw bad(row, result.error.issues[0]?.message ?? 'is invalid')
}

/** Rules between settings. A setting that is invalid is missing here, so it is not reported twice. */
function* conflictsIn(values: Partial<Values<typeof SETTINGS>>): Generator<[SettingName, string]> {
  const { environment, databaseUrl, apiKey, backupEvery, tlsCert, tlsKey, rehearseSunset } = values
  const keyEnvironment = apiKey && environmentOfKey(apiKey)
  if (keyEnvironment && environment && keyEnvironment !== environment)
    yield ['apiKey', `is a key for ${keyEnvironment}, but this is ${environment}`]
  if (backupEvery !== undefined && databaseUrl?.engine === 'postgres')
    yield ['backupEvery', 'is for SQLite. PostgreSQL makes its own backups; leave this setting out']
  if (tlsKey !== undefined && tlsCert === undefined)
    yield ['tlsCert', 'must be set too when PETSTORE_TLS_KEY is']
  if (tlsCert !== undefined && tlsKey === undefined)
    yield ['tlsKey', 'must be set too when PETSTORE_TLS_CERT is']
  // It refuses real callers.
  if (rehearseSunset && environment === 'production')
    yield ['rehearseSunset', 'must be off in production: rehearse the removal in staging']
}
