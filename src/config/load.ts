import { commandName } from '../command-name.ts'
import type { Environment } from '../contract/servers.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import type { Level } from '../observability/events.ts'
import type { LogFormat } from '../observability/log.ts'
import type { Database } from '../store/database.ts'
import { databaseUrl } from './database-url.ts'
import { type Flags, invalid, readSettings, type Values, type Variables } from './read.ts'
import {
  ADDRESS_SETTINGS,
  CLIENT_SETTINGS,
  type RateLimitPolicy,
  SETTINGS,
  STORE_SETTINGS,
} from './settings.ts'

/** What a command needs that works on a database. */
export interface StoreConfig {
  readonly environment: Environment
  readonly database: Database
}

/** The files of the certificate chain and its private key, both PEM. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** Where the service listens. */
export interface AddressConfig {
  readonly host: string
  readonly port: number
  readonly tls: TlsFiles | undefined
}

/** What a command needs that talks to a server. */
interface ClientConfig {
  /** Undefined for the service on this machine. */
  readonly baseUrl: string | undefined
  readonly apiKey: string
}

export interface Config extends StoreConfig, AddressConfig {
  /** How many serve on the one port. */
  readonly processes: number
  readonly baseUrls: { readonly [environment in Environment]: string | undefined }
  readonly apiKey: string | undefined
  readonly rateLimit: RateLimitPolicy | undefined
  readonly corsOrigins: readonly string[]
  readonly hasConsole: boolean
  readonly log: { readonly level: Level; readonly format: LogFormat }
  /** Undefined when metrics are off. */
  readonly metricsPort: number | undefined
  /** Where spans are posted; undefined when traces are off. */
  readonly tracesUrl: string | undefined
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** Everything, for a service. */
export function loadConfig(flags: Flags, variables: Variables = process.env): Config {
  const values = readSettings(SETTINGS, flags, variables)
  return Object.freeze({
    ...storeConfigOf(values),
    ...addressOf(values),
    processes: values.processes,
    baseUrls: { production: values.baseUrl, staging: values.stagingBaseUrl },
    apiKey: values.apiKey,
    rateLimit: values.rateLimit,
    corsOrigins: values.corsOrigins ?? [],
    hasConsole: values.console,
    log: { level: values.logLevel, format: values.logFormat },
    metricsPort: values.metricsPort,
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
  if (apiKey !== undefined) {
    // A key opens one environment only, so it tells which of the two servers is meant.
    const isStaging = flags.baseUrl === undefined && environmentOfKey(apiKey) === 'staging'
    const row = { stagingBaseUrl: SETTINGS.stagingBaseUrl }
    const staging = isStaging ? readSettings(row, {}, variables).stagingBaseUrl : undefined
    return { baseUrl: staging ?? baseUrl, apiKey }
  }
  const advice = `create one with: ${commandName()} keys create --name NAME`
  throw invalid(CLIENT_SETTINGS.apiKey, `is not set. The server requires an API key; ${advice}`)
}

const storeConfigOf = (values: Values<typeof STORE_SETTINGS>): StoreConfig => ({
  environment: values.environment,
  database: values.databaseUrl ?? databaseUrl.parse(`sqlite:data/${values.environment}.db`),
})

const addressOf = ({ host, port, tlsCert, tlsKey }: Values<typeof ADDRESS_SETTINGS>): AddressConfig => ({
  host,
  port,
  tls: tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined,
})
