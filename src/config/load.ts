import { dirname, join } from 'node:path'
import { commandName } from '../command-name.ts'
import type { Environment } from '../contract/servers.ts'
import type { Level, LogFormat } from '../observability/levels.ts'
import type { Database } from '../store/database.ts'
import { databaseUrl } from './database-url.ts'
import type { RateLimitPolicy, TlsFiles } from './protections.ts'
import { bad, type Flags, readSettings, type Values } from './read.ts'
import { ADDRESS_SETTINGS, CLIENT_SETTINGS, STORE_SETTINGS } from './setting-groups.ts'
import { SETTINGS } from './settings.ts'
import type { Variables } from './variables.ts'

/** What a command needs that works on a database. */
export interface StoreConfig {
  readonly environment: Environment
  readonly database: Database
}

/** Where the service listens. */
export interface AddressConfig {
  readonly host: string
  readonly port: number
  readonly tls: TlsFiles | undefined
}

/** What a command needs that talks to a server. */
interface ClientConfig {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Scheduled backups. */
export interface BackupPlan {
  readonly everyMs: number
  readonly keep: number
  readonly folder: string
}

export interface MetricsConfig {
  readonly host: string
  readonly port: number
}

export interface Config extends StoreConfig, AddressConfig {
  /** How many serve on the one port. */
  readonly processes: number
  readonly baseUrls: { readonly [environment in Environment]: string | undefined }
  readonly apiKey: string | undefined
  readonly backups: BackupPlan | undefined
  readonly rateLimit: RateLimitPolicy | undefined
  readonly corsOrigins: readonly string[]
  readonly hasConsole: boolean
  readonly log: { readonly level: Level; readonly format: LogFormat }
  /** Where the metrics are; undefined when they are off. */
  readonly metrics: MetricsConfig | undefined
  /** Where spans are posted; undefined when traces are off. */
  readonly tracesUrl: string | undefined
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** Everything, for a service. */
export function loadConfig(flags: Flags, variables: Variables = process.env): Config {
  const values = readSettings(SETTINGS, flags, variables)
  const { environment, database } = storeConfigOf(values)
  const { metricsHost, metricsPort } = values
  return Object.freeze({
    environment,
    database: withServiceSettings(database, values),
    ...addressOf(values),
    processes: values.processes,
    baseUrls: { production: values.baseUrl, staging: values.stagingBaseUrl },
    apiKey: values.apiKey,
    backups: backupPlanOf(values, database),
    rateLimit: values.rateLimit,
    corsOrigins: values.corsOrigins ?? [],
    hasConsole: values.console,
    log: { level: values.logLevel, format: values.logFormat },
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    tracesUrl: values.otlpEndpoint,
    rehearseSunset: values.rehearseSunset,
  })
}

export const loadStoreConfig = (flags: Flags, variables: Variables = process.env): StoreConfig =>
  storeConfigOf(readSettings(STORE_SETTINGS, flags, variables))

export const loadEnvironment = (flags: Flags, variables: Variables = process.env): Environment =>
  readSettings({ environment: SETTINGS.environment }, flags, variables).environment

export const loadAddress = (flags: Flags, variables: Variables = process.env): AddressConfig =>
  addressOf(readSettings(ADDRESS_SETTINGS, flags, variables))

export function loadClientConfig(flags: Flags, variables: Variables = process.env): ClientConfig {
  const { baseUrl, apiKey } = readSettings(CLIENT_SETTINGS, flags, variables)
  if (apiKey !== undefined) return { baseUrl, apiKey }
  throw bad(
    CLIENT_SETTINGS.apiKey,
    `is not set. The server requires an API key; create one with: ${commandName()} keys create --name NAME`,
  )
}

const storeConfigOf = (values: Values<typeof STORE_SETTINGS>): StoreConfig => ({
  environment: values.environment,
  database: values.databaseUrl ?? databaseUrl.parse(`sqlite:data/${values.environment}.db`),
})

/** What the URL says is about this database, and wins over what is said of any. */
const withServiceSettings = (
  database: Database,
  { databaseConnections }: Values<typeof SETTINGS>,
): Database =>
  database.engine === 'postgres'
    ? { ...database, connections: database.connections ?? databaseConnections }
    : database

const addressOf = ({ host, port, tlsCert, tlsKey }: Values<typeof ADDRESS_SETTINGS>): AddressConfig => ({
  host,
  port,
  tls: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined,
})

function backupPlanOf(
  { backupEvery: everyMs, backupKeep: keep, backupFolder }: Values<typeof SETTINGS>,
  database: Database,
): BackupPlan | undefined {
  if (everyMs === undefined || database.engine !== 'sqlite') return undefined
  return { everyMs, keep, folder: backupFolder ?? join(dirname(database.path), 'backups') }
}
