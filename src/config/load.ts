import { commandName } from '../command-name.ts'
import { ENVIRONMENTS, type Environment } from '../contract/servers.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import { type BackupPlan, folderBeside, parseBackupSpan, parseKeep } from './backups.ts'
import {
  type LogConfig,
  type MetricsConfig,
  readLog,
  readMetrics,
  readTraces,
  type TracesConfig,
} from './observability.ts'
import { parseOrigins, parseRateLimit, type RateLimit, type TlsFiles } from './protections.ts'
import { fileVariable, readSecretFile } from './secret-file.ts'
import { bad, type Read, readChoice, readHost, readPort, readSwitch } from './setting-reader.ts'
import { CLIENT_SETTINGS, SETTINGS, type Setting, type SettingName } from './settings.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly environment: Environment
  readonly databaseUrl: string
  readonly baseUrls: { readonly [environment in Environment]: string | undefined }
  readonly apiKey: string | undefined
  readonly backups: BackupPlan | undefined
  readonly rateLimit: RateLimit | undefined
  readonly corsOrigins: readonly string[]
  readonly tls: TlsFiles | undefined
  readonly hasConsole: boolean
  readonly log: LogConfig
  /** Where the metrics are; undefined when they are off. */
  readonly metrics: MetricsConfig | undefined
  /** Where traces go; undefined when they are off. */
  readonly traces: TracesConfig | undefined
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** What a command needs that talks to a server. */
export interface ClientConfig {
  readonly baseUrl: string
  readonly apiKey: string
}

export type Flags = { readonly [name in SettingName]?: string }

type Variables = Readonly<Record<string, string | undefined>>

const DATABASE_URL_SHAPE = /^(?:sqlite:[^?#\0]+|postgres(?:ql)?:\/\/.+)$/
/** Says nothing of the value that was given: it may hold a password. */
export const DATABASE_URL_RULE =
  'must be "sqlite:" followed by the path of a file, or postgres://user:password@host:5432/database'
const SENDABLE_KEY = /^[!-~]+$/
const API_KEY_SHAPE = /^[A-Za-z0-9\-._~+/]{20,512}=*$/

/** Reads flags and environment once, into a frozen and checked Config. Nothing else reads the environment. */
export function loadConfig(flags: Flags, variables: Variables = process.env): Config {
  const read = reader(SETTINGS, flags, variables)
  const environment = readChoice(read, 'environment', ENVIRONMENTS)
  const databaseUrl = readDatabaseUrl(read, environment)
  return Object.freeze({
    host: readHost(read, 'host'),
    port: readPort(read, 'port'),
    environment,
    databaseUrl,
    baseUrls: Object.freeze({
      production: readBaseUrl(read, 'baseUrl'),
      staging: readBaseUrl(read, 'stagingBaseUrl'),
    }),
    apiKey: readApiKey(read, environment),
    backups: readBackups(read, databaseUrl),
    rateLimit: readRateLimit(read),
    corsOrigins: readCorsOrigins(read),
    tls: readTls(read),
    hasConsole: readSwitch(read, 'console'),
    log: readLog(read),
    metrics: readMetrics(read),
    traces: readTraces(read),
    rehearseSunset: readRehearsal(read, environment),
  })
}

/** The settings of a command that talks to a server. */
export function loadClientConfig(flags: Flags, variables: Variables = process.env): ClientConfig {
  const read = reader({ ...SETTINGS, ...CLIENT_SETTINGS }, flags, variables)
  const apiKey = read('apiKey')
  if (apiKey === undefined)
    throw bad(
      'apiKey',
      `is not set. The server asks for an API key; make one with: ${commandName()} keys create --name NAME`,
    )
  if (!SENDABLE_KEY.test(apiKey)) throw bad('apiKey', 'holds a character that no API key has')
  return Object.freeze({ baseUrl: readBaseUrl(read, 'baseUrl') ?? CLIENT_SETTINGS.baseUrl.fallback, apiKey })
}

export interface SettingInForce {
  readonly name: SettingName
  readonly value: string | undefined
  readonly from: 'flag' | 'variable' | 'file' | 'default'
}

/** What each setting was given, and where; nothing is checked. */
export const settingsInForce = (flags: Flags, variables: Variables = process.env): SettingInForce[] =>
  (Object.keys(SETTINGS) as SettingName[]).map(name => {
    const flag = flags[name]
    if (flag !== undefined) return { name, value: flag, from: 'flag' }
    const { variable, fallback }: Setting = SETTINGS[name]
    if (variables[variable]) return { name, value: variables[variable], from: 'variable' }
    if (isInFile(SETTINGS[name], variables)) return { name, value: undefined, from: 'file' }
    return { name, value: fallback, from: 'default' }
  })

/** Every variable that is heard. */
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

const isInFile = ({ variable, mayBeFile }: Setting, variables: Variables): boolean =>
  mayBeFile === true && Boolean(variables[fileVariable(variable)])

const reader =
  (settings: Readonly<Record<SettingName, Setting>>, flags: Flags, variables: Variables): Read =>
  name => {
    const { variable, fallback, mayBeFile } = settings[name]
    const secret = () => (mayBeFile ? readSecretFile(variable, variables) : undefined)
    // An empty variable counts as unset, as it does in shells and compose files.
    return flags[name] ?? secret() ?? (variables[variable] || fallback)
  }

function readDatabaseUrl(read: Read, environment: Environment): string {
  const url = read('databaseUrl') ?? `sqlite:data/${environment}.db`
  if (isDatabaseUrl(url)) return url
  throw bad('databaseUrl', DATABASE_URL_RULE)
}

export const isDatabaseUrl = (url: string): boolean =>
  DATABASE_URL_SHAPE.test(url) && !url.includes(':memory:')

function readBaseUrl(read: Read, name: 'baseUrl' | 'stagingBaseUrl'): string | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password
  if (isPlain && url.pathname.endsWith('/v1')) return url.href
  throw bad(name, 'must be an http or https address that ends in /v1, such as https://pets.example.org/v1')
}

/** The message never shows the value: it may be a real key with a typing mistake. */
function readApiKey(read: Read, environment: Environment): string | undefined {
  const key = read('apiKey')
  if (key === undefined) return undefined
  if (!API_KEY_SHAPE.test(key))
    throw bad('apiKey', 'must have 20 to 512 characters out of letters, digits and -._~+/')
  const keyEnvironment = environmentOfKey(key)
  if (keyEnvironment !== undefined && keyEnvironment !== environment)
    throw bad('apiKey', `is a key for ${keyEnvironment}, but this is ${environment}`)
  return key
}

function readBackups(read: Read, databaseUrl: string): BackupPlan | undefined {
  const keep = parseKeep(read('backupKeep') ?? '')
  if (keep === undefined) throw bad('backupKeep', 'must be a number from 1 to 9999')
  const every = read('backupEvery')
  if (every === undefined) return undefined
  const everyMs = parseBackupSpan(every)
  if (everyMs === undefined) throw bad('backupEvery', 'must be a span from 1s to 24d, such as 30m, 6h or 1d')
  const beside = folderBeside(databaseUrl)
  if (beside === undefined)
    throw bad('backupEvery', 'is for SQLite. PostgreSQL makes its own backups; leave this setting out')
  return { everyMs, keep, folder: read('backupFolder') ?? beside }
}

function readRateLimit(read: Read): RateLimit | undefined {
  const text = read('rateLimit')
  if (text === undefined) return undefined
  const limit = parseRateLimit(text)
  if (limit !== undefined) return limit
  throw bad('rateLimit', 'must be a count up to 100000 and a span up to a day in s, m or h, such as 100/60s')
}

function readCorsOrigins(read: Read): readonly string[] {
  const text = read('corsOrigins')
  if (text === undefined) return []
  const origins = parseOrigins(text)
  if (origins !== undefined) return origins
  throw bad(
    'corsOrigins',
    'must name origins such as https://shop.example.org, parted by commas; "*" is not one, since callers send keys',
  )
}

function readTls(read: Read): TlsFiles | undefined {
  const cert = read('tlsCert')
  const key = read('tlsKey')
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) throw bad('tlsCert', 'must be set too when PETSTORE_TLS_KEY is')
  if (key === undefined) throw bad('tlsKey', 'must be set too when PETSTORE_TLS_CERT is')
  return { cert, key }
}

/** A rehearsal refuses real callers, so it has no place where they are. */
function readRehearsal(read: Read, environment: Environment): boolean {
  const isOn = readSwitch(read, 'rehearseSunset')
  if (isOn && environment === 'production')
    throw bad('rehearseSunset', 'must be off in production: rehearse the removal in staging')
  return isOn
}
