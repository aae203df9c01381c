import { readFileSync } from 'node:fs'
import type { Servers } from '../contract/servers.ts'
import { environmentOfKey, holdsKeyPrefix } from '../keys/api-key.ts'
import { codeOf, InvalidInput } from '../operator-error.ts'
import { CONNECTIONS } from '../store/database.ts'
import type { StoreLocation } from '../store/engine.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { isNearly } from './misspelled.ts'
import {
  type ADDRESS_SETTINGS,
  CLIENT_SETTINGS,
  SETTINGS,
  type Setting,
  type SettingName,
  STORE_SETTINGS,
} from './settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>
/** The given flags, by setting. */
export type Flags = { readonly [name in SettingName]?: string }
type SettingRows = { readonly [name in SettingName]?: Setting }
type SettingValues<Chosen extends SettingRows> = {
  readonly [name in keyof Chosen]: Chosen[name] extends Setting<infer Value>
    ? Value | (Chosen[name] extends { readonly fallback: string } ? never : undefined)
    : never
}

/** The files of the certificate chain and its private key, both PEM. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** Where the service listens. */
export type AddressSettings = SettingValues<typeof ADDRESS_SETTINGS>

/** A service's settings, and values derived from several of them. */
export interface Config extends Omit<SettingValues<typeof SETTINGS>, 'database'>, StoreLocation {
  readonly tls: TlsFiles | undefined
  readonly baseUrls: Servers
}

/** The variable with the path of a file that contains the value, as orchestrators provide secrets. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

export function loadConfig(flags: Flags, variables: Variables = process.env): Config {
  const values = readSettings(SETTINGS, flags, variables)
  const { baseUrl, stagingBaseUrl, tlsCert, tlsKey } = values
  return {
    ...values,
    ...storeConfigOf(values),
    tracesUrl: tracesUrlOf(values.tracesUrl, variables),
    tls: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined,
    baseUrls: { production: baseUrl, staging: stagingBaseUrl },
  }
}

export const loadStoreConfig = (flags: Flags, variables: Variables = process.env): StoreLocation =>
  storeConfigOf(readSettings(STORE_SETTINGS, flags, variables))

const storeConfigOf = ({ environment, database }: SettingValues<typeof STORE_SETTINGS>): StoreLocation => ({
  environment,
  database: database ?? parseDatabaseUrl(`sqlite:data/${environment}.db`),
})

const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
const HTTP_PROTOBUF = /^http\/protobuf$/
const PROTOCOL = 'http/protobuf, which collectors accept at port 4318'
/** Standard variables and their valid values. The tracing library would ignore other values, and send every trace or none. */
const TRACING_RULES: readonly [name: string, values: RegExp, rule: string][] = [
  [
    'OTEL_TRACES_SAMPLER',
    /^(?:parentbased_)?(?:always_on|always_off|traceidratio)$/,
    '[parentbased_]always_on, always_off or traceidratio',
  ],
  ['OTEL_TRACES_SAMPLER_ARG', /^(?:0*(?:\.\d+)?|0*1(?:\.0*)?)$/, 'a number from 0 to 1'],
  ['OTEL_TRACES_EXPORTER', /^otlp$/, 'otlp. For no traces, set OTEL_SDK_DISABLED=true'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', HTTP_PROTOBUF, PROTOCOL],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', HTTP_PROTOBUF, PROTOCOL],
  [
    TRACES_ENDPOINT,
    /^https?:\/\/[^\s?#@]+$/,
    'a whole http or https URL, such as http://127.0.0.1:4318/v1/traces',
  ],
]

/** Where to send traces: to their own URL, or to the collector of all signals. */
function tracesUrlOf(collector: string | undefined, variables: Variables): string | undefined {
  const url = variables[TRACES_ENDPOINT] || collector
  if (url === undefined || /^true$/i.test(variables.OTEL_SDK_DISABLED ?? '')) return undefined
  for (const [name, values, rule] of TRACING_RULES)
    if (variables[name] && !values.test(variables[name])) throw new InvalidInput(`${name} must be ${rule}.`)
  return url
}

/** Reads and checks these settings. One error lists all invalid settings, without their values. */
export function readSettings<const Chosen extends SettingRows>(
  rows: Chosen,
  flags: Flags,
  variables: Variables = process.env,
): SettingValues<Chosen> {
  const values: Partial<Record<SettingName, unknown>> = {}
  const problems: string[] = []
  for (const [name, row] of Object.entries(rows) as [SettingName, Setting][]) {
    try {
      const given = flags[name] ?? secretIn(row, variables) ?? valueIn(row.variable, variables)
      refuseMisspelled(row, variables, given !== undefined)
      const text = given ?? row.fallback
      if (text !== undefined) values[name] = row.parse(text)
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      problems.push(settingProblem(row, error.message))
    }
  }
  for (const [name, rule] of conflictsIn(values as Partial<SettingValues<typeof SETTINGS>>)) {
    const row = rows[name]
    if (row !== undefined) problems.push(settingProblem(row, rule))
  }
  if (problems.length > 0) throw new InvalidInput(problems.join(' '))
  return values as SettingValues<Chosen>
}

const namesOf = ({ variable, isSecret }: Setting): string[] =>
  isSecret ? [fileVariable(variable), variable] : [variable]

/** The names of all settings, and those of the files with secrets. */
export const knownVariables = (): string[] => Object.values<Setting>(SETTINGS).flatMap(namesOf)

/** Variables that Kubernetes sets for each service. Those of a service named petstore-metrics include PETSTORE_METRICS_PORT. */
const OF_KUBERNETES =
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)=|_PORT_\d+_(?:TC|UD|SCT)P(?:_(?:PROTO|PORT|ADDR))?=|_PORT=(?:tc|ud|sct)p:/

/** An empty variable counts as unset, as it does in shells and compose files. */
export const valueIn = (name: string, variables: Variables): string | undefined =>
  OF_KUBERNETES.test(`${name}=${variables[name]}`) ? undefined : variables[name] || undefined

/** The names of variables that are set and are no settings. */
function otherNames(variables: Variables): string[] {
  const known = [...knownVariables(), ...namesOf(CLIENT_SETTINGS.apiKey)]
  return Object.keys(variables).filter(name => valueIn(name, variables) && !known.includes(name))
}

/** Variables that only have the prefix of settings, and settings that lack it. */
export const unknownVariables = (variables: Variables = process.env): string[] =>
  otherNames(variables).filter(name => name.startsWith('PETSTORE_') || isBare(name, variables))

/** Whether a variable could set a missing setting if it had the right name. It may be another program's, so it is not refused. */
function isBare(name: string, variables: Variables): boolean {
  const row = Object.values<Setting>(SETTINGS).find(({ variable }) => variable === `PETSTORE_${name}`)
  const text = variables[name]
  if (!row || !text || text === row.fallback || namesOf(row).some(each => valueIn(each, variables)))
    return false
  try {
    return row.parse(text) !== undefined
  } catch {
    return false
  }
}

/** A misspelled variable would leave its setting at the default: a service would start with another database, or without TLS. */
function refuseMisspelled(row: Setting, variables: Variables, isSet: boolean): void {
  // Beside the setting, only a name with our prefix can be meant.
  const found = otherNames(variables).find(
    name => (!isSet || name.startsWith('PETSTORE_')) && namesOf(row).some(known => isNearly(name, known)),
  )
  if (found) throw new InvalidInput(`is misspelled as ${found}. Correct that name, or unset it`)
}

const settingProblem = ({ variable, flag }: Setting, rule: string): string =>
  `${variable} (${flag.split(' ')[0]}) ${rule}.`

/** Rules between settings. Invalid settings are missing here, so they are not reported twice. */
function* conflictsIn(values: Partial<SettingValues<typeof SETTINGS>>): Generator<[SettingName, string]> {
  const { environment, apiKey, tlsCert, tlsKey, port, metricsPort } = values
  const { database, threads = 1, rehearseSunset } = values
  // The settings of commands that call a server include no environment, and the server decides about their key.
  if (apiKey && environment && holdsKeyPrefix(apiKey) && environmentOfKey(apiKey) !== environment)
    yield ['apiKey', `must be a key for ${environment}; this one is for the other environment, or mistyped`]
  if (tlsKey && !tlsCert) yield ['tlsCert', 'must also be set if PETSTORE_TLS_KEY is']
  if (tlsCert && !tlsKey) yield ['tlsKey', 'must also be set if PETSTORE_TLS_CERT is']
  if (port && port === metricsPort) yield ['metricsPort', 'must not be the same as PORT']
  const needed = threads * CONNECTIONS.perThread
  if (database?.engine === 'postgres' && database.connections !== undefined && database.connections < needed)
    yield ['database', `must have a connection_limit of ${needed} or more for ${threads} threads`]
  // It rejects real requests.
  if (rehearseSunset && environment === 'production')
    yield ['rehearseSunset', 'must be off in production: rehearse the removal in staging']
}

/** The value in the file that a variable specifies, without trailing whitespace. */
function secretIn({ variable, isSecret }: Setting, variables: Variables): string | undefined {
  const name = fileVariable(variable)
  const path = valueIn(name, variables)
  if (!isSecret || !path) return undefined
  if (valueIn(variable, variables)) throw new InvalidInput(`and ${name} are both set. Unset one of them`)
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    // The path is not shown, because it may be the secret itself by mistake.
    throw new InvalidInput(`cannot be read from the file in ${name} (${codeOf(error)})`)
  }
}
